import type { ContentStore } from '../../../content-store/port.js';
import { Contents } from '../../../engine/contents/contents.js';
import { freshUploadId } from './upload-ids.js';
import { UnfinishedUploads } from './unfinished-uploads.js';

/** Keeps what every attempt to write has stored, also if it fails. */
class AttemptsStore {
  readonly attempts: Buffer[] = [];

  async write(_: unknown, source: AsyncIterable<Uint8Array>): Promise<number> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of source) chunks.push(chunk);
    } finally {
      this.attempts.push(Buffer.concat(chunks));
    }
    return this.attempts.at(-1)!.length;
  }
}

async function* bytes(fill: number, error?: Error): AsyncGenerator<Uint8Array> {
  for (let nth = 0; nth < 4; nth++) yield Buffer.alloc(65_536, fill);
  if (error) throw error;
}

describe('unfinished uploads', () => {
  it('encrypt a part that is sent again with other bytes under another key', async () => {
    const store = new AttemptsStore();
    const keys = { get: async () => new Uint8Array(32).fill(9) };
    const contents = new Contents(store as unknown as ContentStore, keys as never);
    const unfinished = new UnfinishedUploads(contents);
    const upload = { drive_id: 'DriveID_a', upload_id: freshUploadId('DriveID_a', 'UserID_a') };
    const info = { created_at: 0, file_id: '', media_type: '', sha256: null, metadata: '' };
    const length = 4 * 65_536;
    const at = { info: { ...info, length }, offset: 0, length, parts: 0 };
    const failure = new Error('the checksum does not match');
    await expect(unfinished.append(upload, at, bytes(0x11, failure))).rejects.toBe(failure);
    const stored = await unfinished.append(upload, at, bytes(0x77));
    expect(stored).toMatchObject({ parts: 1, offset: length });
    const [one, other] = store.attempts as [Buffer, Buffer];
    // Under one key stream, the stored bytes would differ as the bytes in clear: by one value.
    const differences = new Set(
      one.subarray(32, 60_000).map((byte, nth) => byte ^ other[nth + 32]!),
    );
    expect(differences.size).toBe(256);
  });
});
