import { createHash, hash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** SHA-256 of text or bytes, 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** SHA-256 as 64 hex digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 over several pieces one after another. */
export function sha256Joined(...pieces: readonly (string | Uint8Array)[]): Buffer {
  const joined = createHash('sha256');
  for (const piece of pieces) joined.update(piece);
  return joined.digest();
}

/** Canonical JSON (RFC 8785). Undefined members are left out; lone surrogates and NaN throw. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value)!;
}
