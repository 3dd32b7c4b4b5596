import { createHash } from 'node:crypto';

/** What does not look like what it claims to be; the message says where. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Hash of a leaf as in RFC 6962: SHA-256(00 ‖ data). */
export function leafHash(data: Uint8Array): Buffer {
  return sha256(Uint8Array.of(0), data);
}

/** Hash of an inner node as in RFC 6962: SHA-256(01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Uint8Array.of(1), left, right);
}

/** 32 bytes from 64 hex digits. @throws Malformed */
export function fromHex(text: unknown, what: string): Buffer {
  if (typeof text !== 'string' || !/^[0-9a-f]{64}$/.test(text))
    throw new Malformed(`${what} is not 64 hex digits`);
  return Buffer.from(text, 'hex');
}

/** A list of hashes written in hex. @throws Malformed */
export function hashesFromHex(list: unknown, what: string): Buffer[] {
  if (!Array.isArray(list) || list.length > 64)
    throw new Malformed(`${what} is not a list of hashes`);
  return list.map((text) => fromHex(text, what));
}

/** Bytes from standard base64. @throws Malformed */
export function fromBase64(text: unknown, length: number, what: string): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : null;
  if (bytes?.length !== length || bytes.toString('base64') !== text)
    throw new Malformed(`${what} is not the base64 of ${length} bytes`);
  return bytes;
}

/** A whole number, 0 or more. @throws Malformed */
export function count(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new Malformed(`${what} is not a whole number`);
  return value as number;
}

/** An id as the service gives them: visible ASCII, so that no two ids look alike. @throws Malformed */
export function idText(value: unknown, what: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value))
    throw new Malformed(`${what} is not an id`);
  return value;
}

/** The member `ok.data` of an answer, or the document itself. @throws Malformed */
export function unwrapped(document: unknown): Record<string, unknown> {
  const answer = document as { ok?: { data?: unknown } } | null;
  const data = answer?.ok?.data ?? document;
  if (typeof data !== 'object' || data === null) throw new Malformed('it is not an object');
  return data as Record<string, unknown>;
}

/** Canonical JSON (RFC 8785) of a value parsed from JSON. @throws Malformed for what JSON cannot say */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value === 'object' && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    // Sorting compares UTF-16 code units, as the RFC asks.
    const names = Object.keys(members).sort();
    return `{${names.map((name) => `${quoted(name)}:${canonicalJson(members[name])}`).join()}}`;
  }
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Malformed('not a number');
  if (value === undefined) throw new Malformed('undefined has no form in JSON');
  return JSON.stringify(value);
}

function quoted(value: string): string {
  if (!value.isWellFormed()) throw new Malformed('a text with a lone surrogate');
  return JSON.stringify(value);
}
