import { createHash, hash, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import type { ContentKey, ContentStore } from '../../content-store/port.js';
import {
  clearSize,
  contentKey,
  contentSecret,
  FRAME_BYTES,
  open,
  type OpenedRange,
  seal,
  sealedSize,
  sealSmall,
  storedRange,
} from '../../content-store/sealed.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import type { KeyVault } from '../../event-store/stores.js';

export interface Written {
  /** SHA-256, hex. */
  readonly sha256: string;
  /** Bytes in clear. */
  readonly size: number;
}

/** Hexadecimal digits of the time in an id. */
const TIME_DIGITS = 12;
const SALT_BYTES = 16;

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
   * Encrypts and stores a content. It resolves once the bytes are durable; if it rejects, nothing is stored. All attempts
   * to write one id have the same bytes, as they are encrypted under one key; for others there is `writeSalted`.
   * @param expected SHA-256 that the content must have, hex
   * @throws WrongDigest; as `ContentStore.write`
   */
  async write(
    key: ContentKey,
    source: AsyncIterable<Uint8Array>,
    expected?: string,
  ): Promise<Written> {
    const own_key = keyOf(key, await this.secretOf(key.drive_id));
    const chunks = source[Symbol.asyncIterator]();
    try {
      const { start, is_all } = await startOf(chunks);
      if (is_all) return await this.writeSmall(key, own_key, Buffer.concat(start), expected);
      return await this.writeLarge(key, own_key, joined(start, chunks), expected);
    } finally {
      await chunks.return?.();
    }
  }

  private async writeSmall(
    key: ContentKey,
    own_key: Uint8Array,
    bytes: Uint8Array,
    expected: string | undefined,
  ): Promise<Written> {
    const sha256 = hash('sha256', bytes, 'hex');
    checkDigest(sha256, expected);
    await this.store.write(key, sealSmall(own_key, bytes));
    return { sha256, size: bytes.length };
  }

  private async writeLarge(
    key: ContentKey,
    own_key: Uint8Array,
    source: AsyncIterable<Uint8Array>,
    expected: string | undefined,
  ): Promise<Written> {
    const hashing = createHash('sha256');
    let sha256 = '';
    let size = 0;
    async function* hashed(): AsyncGenerator<Uint8Array, void> {
      for await (const chunk of source) {
        hashing.update(chunk);
        size += chunk.length;
        yield chunk;
      }
      sha256 = hashing.digest('hex');
      // Thrown before the last frame: no store has the whole content.
      checkDigest(sha256, expected);
    }
    await this.store.write(key, seal(own_key, hashed()));
    return { sha256, size };
  }

  /**
   * A range of a content in clear. Each frame is authenticated before any of its bytes is given.
   * @throws ContentMissing; DamagedContent; ContentKeyMissing
   */
  async *read(key: ContentKey, range: OpenedRange): AsyncGenerator<Buffer, void> {
    const secret = await this.existingSecret(key.drive_id);
    const { from, to } = storedRange(range);
    yield* open(keyOf(key, secret), this.store.read(key, from, to), range);
  }

  /**
   * As `write`, for an id whose bytes may differ from those of an earlier attempt. A random salt before the stored bytes
   * gives each attempt a key of its own.
   * @returns number of bytes in clear
   * @throws as `ContentStore.write`
   */
  async writeSalted(key: ContentKey, source: AsyncIterable<Uint8Array>): Promise<number> {
    const salt = randomBytes(SALT_BYTES);
    const own_key = saltedKeyOf(key, await this.secretOf(key.drive_id), salt);
    const stored = await this.store.write(key, salted(salt, seal(own_key, source)));
    return clearSize(stored - SALT_BYTES);
  }

  /** As `read`, of a content that `writeSalted` stored. @throws ContentMissing; DamagedContent; ContentKeyMissing */
  async *readSalted(key: ContentKey, range: OpenedRange): AsyncGenerator<Buffer, void> {
    const secret = await this.existingSecret(key.drive_id);
    const salt: Uint8Array[] = [];
    for await (const chunk of this.store.read(key, 0, SALT_BYTES)) salt.push(chunk);
    const own_key = saltedKeyOf(key, secret, Buffer.concat(salt));
    const { from, to } = storedRange(range);
    yield* open(own_key, this.store.read(key, SALT_BYTES + from, SALT_BYTES + to), range);
  }

  /** As `sizeOf`, of a content that `writeSalted` stored. */
  async saltedSizeOf(key: ContentKey): Promise<number | undefined> {
    const stored = await this.store.size(key);
    return stored === undefined ? undefined : clearSize(stored - SALT_BYTES);
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

  /** The secret of a drive's contents; its data key is created if nothing has been encrypted under it yet. */
  private async secretOf(drive_id: string): Promise<KeyObject> {
    const known = await this.knownSecret(drive_id);
    if (known) return known;
    // Of several writers, the first one's key is kept.
    await this.keys.put(drive_id, new Map([[DRIVE_KEY_ID, randomBytes(32)]]));
    return (await this.knownSecret(drive_id))!;
  }

  /** @throws ContentKeyMissing */
  private async existingSecret(drive_id: string): Promise<KeyObject> {
    const secret = await this.knownSecret(drive_id);
    if (!secret) throw new ContentKeyMissing(`there is no data key of ${drive_id}`);
    return secret;
  }

  /** None if the drive has no data key. */
  private async knownSecret(drive_id: string): Promise<KeyObject | null | undefined> {
    const data_key = await this.keys.get(drive_id, DRIVE_KEY_ID);
    return data_key && contentSecret(data_key);
  }
}

/** The first bytes of a source: all of them, or more than one frame. */
async function startOf(
  chunks: AsyncIterator<Uint8Array>,
): Promise<{ start: Uint8Array[]; is_all: boolean }> {
  const start: Uint8Array[] = [];
  for (let bytes = 0; bytes <= FRAME_BYTES;) {
    const next = await chunks.next();
    if (next.done) return { start, is_all: true };
    start.push(next.value);
    bytes += next.value.length;
  }
  return { start, is_all: false };
}

async function* joined(
  start: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  // They are not kept until the end.
  yield* start.splice(0);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function keyOf({ drive_id, content_id }: ContentKey, secret: KeyObject): Buffer {
  return contentKey(secret, drive_id, content_id);
}

function saltedKeyOf(key: ContentKey, secret: KeyObject, salt: Buffer): Buffer {
  const { drive_id, content_id } = key;
  return contentKey(secret, drive_id, `${content_id}\n${salt.toString('hex')}`);
}

async function* salted(
  salt: Uint8Array,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield salt;
  yield* sealed;
}

/** @throws WrongDigest */
function checkDigest(sha256: string, expected: string | undefined): void {
  if (expected !== undefined && sha256 !== expected)
    throw new WrongDigest(`the content has the SHA-256 ${sha256}`);
}
