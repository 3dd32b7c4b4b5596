import type { FastifyRequest } from 'fastify';
import { sha256Hex } from '../../../libs/engine/proofs/hashing.js';
import { invalidHeader } from '../refusals.js';

const HASH_DIGITS = 16;
const TAG = /^(?:W\/)?"(\d{1,15})(?:\.([0-9a-f]{16}))?"$/;

/** The ETag of a response: revision of the record, and hash of the sent body. */
export function entityTag(revision: number, hash: string): string {
  return `"${revision}.${hash}"`;
}

export function bodyHash(body: string): string {
  return sha256Hex(body).slice(0, HASH_DIGITS);
}

/** True if the header If-None-Match names this tag. */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return splitTags(header).some((known) => known === '*' || known.replace(/^W\//, '') === tag);
}

/**
 * The latest revision of the record that the header If-Match accepts; Infinity for `*`, undefined without the
 * header. The hash in a tag is ignored.
 */
export function allowedRevision(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined) return undefined;
  const revision = revisionOf(header);
  if (Number.isNaN(revision)) throw invalidHeader('The header If-Match must be "n", "n.h" or *.');
  return revision;
}

/** The latest revision in a list of tags; Infinity for `*`, NaN if a tag is malformed. */
export function revisionOf(tags: string): number {
  const revisions = splitTags(tags).map((tag) =>
    tag === '*' ? Infinity : Number(TAG.exec(tag)?.[1] ?? NaN),
  );
  return Math.max(...revisions);
}

function splitTags(header: string): string[] {
  return header.split(',').map((tag) => tag.trim());
}
