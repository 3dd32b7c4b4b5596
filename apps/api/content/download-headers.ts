import type { FastifyRequest } from 'fastify';
import { dispositionOf } from '../../../libs/application/directory/media-type.js';
import type { OwnContent } from '../../../libs/domain/directory/items/asset.js';
import { isKnown } from '../drive/entity-tags.js';

/** Types that browsers display without executing any content. */
const SAFE_TYPES =
  /^(?:image\/(?:avif|bmp|gif|jpeg|png|webp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/pdf|text\/plain)(?:\s*;|$)/i;

/** `bytes=1-5`, `bytes=1-` or `bytes=-5` (RFC 9110, 14.1.2). */
const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i;

/** A part of a content: first byte, and the one behind the last. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Headers of a download, its length excepted. */
export function contentHeaders(content: OwnContent, is_download: boolean): Record<string, string> {
  const { sha256, media_type, file_name, modified_ms } = content;
  const kind = !is_download && SAFE_TYPES.test(media_type) ? 'inline' : 'attachment';
  return {
    'content-type': media_type,
    etag: tagOf(content),
    'last-modified': new Date(modified_ms).toUTCString(),
    'accept-ranges': 'bytes',
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    'content-disposition': dispositionOf(file_name, kind),
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
    'cache-control': 'private, no-cache',
  };
}

function tagOf({ sha256 }: OwnContent): string {
  return `"${sha256}"`;
}

/** True if the client has the content (RFC 9110, 13.2.2). */
export function isUnchanged(request: FastifyRequest, content: OwnContent): boolean {
  if (request.headers['if-none-match'] !== undefined) return isKnown(request, tagOf(content));
  const since = request.headers['if-modified-since'];
  return since !== undefined && seconds(content.modified_ms) <= seconds(Date.parse(since));
}

/** The part that the header Range asks for; null for the whole content. Several ranges are answered as a whole. */
export function rangeOf(
  request: FastifyRequest,
  content: OwnContent,
): Part | null | 'unsatisfiable' {
  const { range, 'if-range': condition } = request.headers;
  if (typeof range !== 'string' || request.method !== 'GET') return null;
  // A date does not tell contents of one second apart (RFC 9110, 8.8.2.2): only the ETag does.
  if (typeof condition === 'string' && condition !== tagOf(content)) return null;
  const [, first, last] = SINGLE_RANGE.exec(range) ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  const { size } = content;
  if (first === '') {
    const from = Math.max(0, size - Number(last));
    return from < size ? { from, to: size } : 'unsatisfiable';
  }
  const part = { from: Number(first), to: last === '' ? size : Math.min(Number(last) + 1, size) };
  if (last !== '' && Number(last) < part.from) return null;
  return part.from < size ? part : 'unsatisfiable';
}

function seconds(at_ms: number): number {
  return Math.floor(at_ms / 1000);
}
