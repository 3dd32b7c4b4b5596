import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { ContentKey, ContentStore } from '../../content-store/port.js';
import {
  clearSize,
  contentKey,
  open,
  type OpenedRange,
  seal,
  sealedSize,
  storedRange,
} from '../../content-store/sealed.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import type { KeyVault } from '../../event-store/stores.js';

/** What was stored. */
export interface Written {
  /** SHA-256, hex. */
  readonly sha256: string;
  /** Bytes in clear. */
  readonly size: number;
}

/** Hexadecimal digits of the time in an id. */
const TIME_DIGITS = 12;

/** The content has another SHA-256 than expected. */
export class WrongDigest extends Error {
  override readonly name = 'WrongDigest';
}

/** The drive was imported without the key of its contents. */
export class ContentKeyMissing extends Error {
  override readonly name = 'ContentKeyMissing';
}

/** The bytes of files, encrypted under the data keys of their drives. */
export class Contents {
  constructor(
    readonly store: ContentStore,
    private readonly keys: KeyVault,
  ) {}

  /** An id that no content has. Ids begin with the time, so that contents stored together are near each other. */
  freshId(): string {
    const time = Date.now().toString(16).padStart(TIME_DIGITS, '0');
    return `${PREFIX.content}${time}-${randomUUID()}`;
  }

  /**
   * Encrypts and stores a content. It resolves once the bytes are durable; if it rejects, nothing is stored.
   * @param expected SHA-256 that the content must have, hex
   * @throws WrongDigest; as `ContentStore.write`
   */
  async write(
    key: ContentKey,
    source: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<Written> {
    const hash = createHash('sha256');
    let sha256 = '';
    let size = 0;
    async function* hashed(): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of source) {
        hash.update(chunk);
        size += chunk.length;
        yield chunk;
      }
      sha256 = hash.digest('hex');
      // Thrown before the last frame: no store has the whole content.
      if (expected !== undefined && sha256 !== expected)
        throw new WrongDigest(`the content has the SHA-256 ${sha256}`);
    }
    const secret = this.keyOf(key, await this.dataKey(key.drive_id));
    await this.store.write(key, seal(secret, hashed()));
    return { sha256, size };
  }

  /**
   * A range of a content in clear. Each frame is authenticated before any of its bytes is given.
   * @throws ContentMissing; DamagedContent; ContentKeyMissing
   */
  async *read(key: ContentKey, range: OpenedRange): AsyncGenerator<Buffer, void> {
    const data_key = await this.keys.get(key.drive_id, DRIVE_KEY_ID);
    if (!data_key) throw new ContentKeyMissing(`there is no data key of ${key.drive_id}`);
    const secret = this.keyOf(key, data_key);
    const { from, to } = storedRange(range);
    yield* open(secret, this.store.read(key, from, to), range);
  }

  /** True if the stored bytes of a content are as many as they should be. */
  async isThere(key: ContentKey, size: number): Promise<boolean> {
    return (await this.store.size(key)) === sealedSize(size);
  }

  /** Number of bytes in clear; undefined if there is no content under the key. */
  async sizeOf(key: ContentKey): Promise<number | undefined> {
    const stored = await this.store.size(key);
    return stored === undefined ? undefined : clearSize(stored);
  }

  delete(key: ContentKey): Promise<void> {
    return this.store.delete(key);
  }

  private keyOf({ drive_id, content_id }: ContentKey, data_key: Uint8Array): Buffer {
    return contentKey(data_key, drive_id, content_id);
  }

  /** The drive's data key; it is created if nothing has been encrypted under it yet. */
  private async dataKey(drive_id: string): Promise<Uint8Array> {
    const known = await this.keys.get(drive_id, DRIVE_KEY_ID);
    if (known) return known;
    // Of several writers, the first one's key is kept.
    await this.keys.put(drive_id, new Map([[DRIVE_KEY_ID, randomBytes(32)]]));
    return (await this.keys.get(drive_id, DRIVE_KEY_ID))!;
  }
}
