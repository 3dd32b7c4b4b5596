import type { KeyObject } from 'node:crypto';

/**
 * Makes the random values of a spec repeatable: ids, codes, keys and tokens, those of the service in
 * the same process included. `SPEC_SEED` is the seed of the whole run (see `seed.ts`); each file has
 * values of its own. Jest loads this before every file.
 */

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

// Not by an import: what a spec imports later has the names that the module has then.
const crypto = process.getBuiltinModule('node:crypto');
const { createHash, createPrivateKey, createPublicKey } = crypto;
const original = {
  randomBytes: crypto.randomBytes,
  generateKeyPairSync: crypto.generateKeyPairSync,
};

/** SHA-256 of seed, file and a counter, one block after the other. */
class Stream {
  private counter = 0;
  private block = Buffer.alloc(0);

  constructor(private readonly seed: string) {}

  bytes(length: number): Buffer {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      if (this.block.length === 0)
        this.block = createHash('sha256').update(`${this.seed} ${this.counter++}`).digest();
      const part = this.block.subarray(0, missing);
      this.block = this.block.subarray(part.length);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const bytes = this.bytes(16);
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  ed25519(): { privateKey: KeyObject; publicKey: KeyObject } {
    const key = Buffer.concat([PKCS8_PREFIX, this.bytes(32)]);
    const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return { privateKey, publicKey: createPublicKey(privateKey) };
  }
}

const { SPEC_SEED } = process.env;
if (SPEC_SEED === undefined) throw new Error('SPEC_SEED is not set: test/support/seed.ts sets it.');
const file = (expect.getState().testPath ?? '').replace(process.cwd(), '');
let stream = new Stream(`${SPEC_SEED} ${file}`);

/** Makes the further random values of this file the same in every run. */
export function repeatFrom(seed: string): void {
  stream = new Stream(seed);
}

const seeded = {
  randomUUID: () => stream.uuid(),
  randomBytes: (size: number, callback?: (error: null, bytes: Buffer) => void) => {
    const bytes = stream.bytes(size);
    if (!callback) return bytes;
    process.nextTick(callback, null, bytes);
  },
  generateKeyPairSync: (type: string, options?: unknown) =>
    type === 'ed25519' && options === undefined
      ? stream.ed25519()
      : original.generateKeyPairSync(type as 'x25519', options as never),
};
Object.assign(crypto, seeded);
Object.defineProperty(globalThis.crypto, 'randomUUID', {
  value: seeded.randomUUID,
  configurable: true,
});
