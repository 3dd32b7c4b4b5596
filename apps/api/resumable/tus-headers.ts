import type { IncomingHttpHeaders } from 'node:http';
import type { Checksum } from '../../../libs/application/content/resumable/parts.js';
import type { NewUpload } from '../../../libs/application/content/resumable/resumable-uploads.js';
import { id } from '../platform/requests/rules.js';
import { invalidHeader } from '../refusals.js';
import { mediaTypeOf } from '../content/headers.js';

/** Headers of the tus protocol, 1.0.0 (https://tus.io/protocols/resumable-upload). */

export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS =
  'creation,creation-with-upload,creation-defer-length,checksum,expiration,termination';
export const CHECKSUM_ALGORITHMS = { sha1: 20, sha256: 32 } as const;
export const BYTES_TYPE = 'application/offset+octet-stream';

const BYTES = /^\d{1,15}$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const METADATA_MAX_CHARS = 4_096;
const FILE_ID = id('FileID_');
const SHA256_HEX = /^[0-9a-fA-F]{64}$/;
const SHA256_BYTES = 32;

/** The number of bytes in a header; undefined if it is absent. */
export function bytesIn(
  headers: IncomingHttpHeaders,
  name: 'Upload-Length' | 'Upload-Offset',
): number | undefined {
  const value = headers[name.toLowerCase()];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && BYTES.test(value)) return Number(value);
  throw invalid(name, 'must be a number of bytes with at most 15 digits');
}

/** The length of a new upload; null if it is announced later. */
export function lengthIn(headers: IncomingHttpHeaders): number | null {
  const length = bytesIn(headers, 'Upload-Length');
  const deferred = headers['upload-defer-length'];
  if (deferred !== undefined && deferred !== '1') throw invalid('Upload-Defer-Length', 'must be 1');
  if ((length === undefined) === (deferred === undefined))
    throw invalid('Upload-Length', 'or else Upload-Defer-Length is required');
  return length ?? null;
}

/** What the metadata of a new upload says. */
export function metadataIn(headers: IncomingHttpHeaders): Omit<NewUpload, 'length'> {
  const metadata = String(headers['upload-metadata'] ?? '');
  if (metadata.length > METADATA_MAX_CHARS)
    throw invalid('Upload-Metadata', `must have at most ${METADATA_MAX_CHARS} characters`);
  const values = new Map<string, Buffer>();
  for (const pair of metadata === '' ? [] : metadata.split(',')) {
    const [key = '', base64 = '', ...more] = pair.trim().split(/ +/);
    if (key === '' || more.length > 0 || values.has(key) || !BASE64.test(base64))
      throw invalid('Upload-Metadata', 'must be pairs of a unique key and a value in base64');
    values.set(key, Buffer.from(base64, 'base64'));
  }
  const file_id = FILE_ID.read(values.get('file_id')?.toString() ?? '');
  if (typeof file_id !== 'string')
    throw invalid('Upload-Metadata', 'must contain file_id, an id beginning with FileID_');
  const media_type = mediaTypeOf(values.get('filetype')?.toString(), 'filetype in Upload-Metadata');
  return { file_id, media_type, sha256: sha256Of(values.get('sha256')), metadata };
}

/** A SHA-256 as 32 bytes, or as text in hex or base64; in hex. */
function sha256Of(value: Buffer | undefined): string | null {
  if (value === undefined) return null;
  if (value.length === SHA256_BYTES) return value.toString('hex');
  const text = value.toString();
  if (SHA256_HEX.test(text)) return text.toLowerCase();
  const bytes = Buffer.from(text, 'base64');
  if (BASE64.test(text) && bytes.length === SHA256_BYTES) return bytes.toString('hex');
  throw invalid('Upload-Metadata', 'has a sha256 that is not a SHA-256 in hex or base64');
}

/** The checksum of a request's body; undefined if it has none. */
export function checksumIn(headers: IncomingHttpHeaders): Checksum | undefined {
  const value = headers['upload-checksum'];
  if (value === undefined) return undefined;
  const [algorithm = '', base64 = '', ...more] = String(value).split(' ');
  if (algorithm !== 'sha1' && algorithm !== 'sha256')
    throw invalid('Upload-Checksum', 'must use sha1 or sha256');
  const digest = Buffer.from(base64, 'base64');
  const is_digest = BASE64.test(base64) && digest.length === CHECKSUM_ALGORITHMS[algorithm];
  if (!is_digest || more.length > 0)
    throw invalid('Upload-Checksum', 'must be an algorithm and a digest in base64');
  return { algorithm, digest };
}

export function invalid(header: string, reason: string): Error {
  return invalidHeader(`The header ${header} ${reason}.`);
}
