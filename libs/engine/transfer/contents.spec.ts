import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { Contents } from '../contents/contents.js';
import type { RecordedContent } from '../contents/recorded.js';
import { copyContents } from './contents.js';

const drive_id = 'DriveID_a';
const COUNT = 5;
const SIZE = 300_000;

describe('a copy of contents', () => {
  let folder: string;
  let from: Contents;
  let to: Contents;
  let recorded: Map<string, RecordedContent>;

  async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    yield bytes;
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'copy-contents-'));
    const { keys } = new MemorySideStores();
    from = new Contents(await ContentFiles.open(join(folder, 'from')), keys);
    to = new Contents(await ContentFiles.open(join(folder, 'to')), keys);
    recorded = new Map();
    for (let nth = 0; nth < COUNT; nth++) {
      const content_id = `ContentID_${nth}`;
      const bytes = randomBytes(SIZE);
      await from.write({ drive_id, content_id }, bytesOf(bytes));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      recorded.set(content_id, { size: SIZE, sha256 });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that is stopped leaves whole contents, and the next one copies the others', async () => {
    const stopping = new AbortController();
    let done = 0;
    const stopped = copyContents({
      ...{ drive_id, recorded, from, to, signal: stopping.signal },
      progress(bytes) {
        if ((done += bytes) > 2.5 * SIZE) stopping.abort(new Error('stopped'));
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
    const there = await to.store.list(drive_id, '', 10);
    expect(there.map(({ content_id }) => content_id)).toEqual(['ContentID_0', 'ContentID_1']);
    const copied = await copyContents({ drive_id, recorded, from, to });
    expect(copied).toEqual({ copied: 3, existing: 2, omitted: [] });
  });

  it('stores nothing that has another SHA-256, is damaged or is missing, and names it', async () => {
    recorded.set('ContentID_0', { size: SIZE, sha256: '0'.repeat(64) });
    await from.delete({ drive_id, content_id: 'ContentID_1' });
    await from.delete({ drive_id, content_id: 'ContentID_2' });
    await from.store.write(
      { drive_id, content_id: 'ContentID_2' },
      bytesOf(randomBytes(SIZE + 5 * 16)),
    );
    const { copied, omitted } = await copyContents({ drive_id, recorded, from, to });
    expect([copied, omitted.map(({ content_id, problem }) => [content_id, problem])]).toEqual([
      2,
      [
        ['ContentID_0', 'is damaged: it has another SHA-256'],
        ['ContentID_1', 'is missing'],
        ['ContentID_2', 'is damaged: frame 0 is not what was stored'],
      ],
    ]);
    expect(await to.store.list(drive_id, '', 10)).toHaveLength(2);
  });
});
