import type { FastifyRequest } from 'fastify';
import { invalidHeader } from '../refusals.js';

const MOST_CHARS = 255;
/**
 * `type/subtype` with parameters (RFC 9110, 8.3.1), in visible ASCII. At each character only one part of it can go on,
 * so that a text that does not match takes no longer than one that does.
 */
const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;(?:[ \t]*[!#-:<-~]+(?:"(?:[ !#-[\]-~]|\\[ -~])*")?)?)*[ \t]*$/;
const SHA_256 = /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/;

/** The media type that a client sent with a content; undefined if it sent none. @param field the header that has it */
export function mediaTypeOf(sent: string | undefined, field = 'Content-Type'): string | undefined {
  if (sent === undefined || sent === '') return undefined;
  if (sent.length <= MOST_CHARS && MEDIA_TYPE.test(sent)) return sent;
  throw invalidHeader(`The ${field} must be a media type.`);
}

/** Refuses what would replace a content against the will of its sender (RFC 9110, 13.1.2 and 14.5). */
export function refuseConditions({ headers }: FastifyRequest): void {
  if (headers['content-range'] !== undefined)
    throw invalidHeader(
      'A part of a content (Content-Range) cannot be uploaded here; use a resumable upload.',
    );
  if (headers['if-none-match'] !== undefined)
    throw invalidHeader(
      'Uploads do not support If-None-Match; CREATE_FILE makes a file that must not exist yet.',
    );
}

/** The SHA-256 (hex) in the header Repr-Digest; undefined if it has none. Other algorithms are ignored. */
export function sha256Of(request: FastifyRequest): string | undefined {
  const header = request.headers['repr-digest'];
  if (header === undefined) return undefined;
  const [, base64] = SHA_256.exec(String(header)) ?? [];
  if (base64 !== undefined) return Buffer.from(base64, 'base64').toString('hex');
  if (!/sha-256\s*=/i.test(String(header))) return undefined;
  throw invalidHeader('The header Repr-Digest must contain sha-256=:<base64>:, with 32 bytes.');
}
