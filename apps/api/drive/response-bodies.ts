import type { FastifyReply } from 'fastify';
import type { JsonText } from '../../../libs/application/views.js';
import { NotModified } from '../platform/errors.js';
import { bodyHash, entityTag, isKnown } from './entity-tags.js';

/** ETags of cached records, and bodies of cached pages. */
const etags = new WeakMap<JsonText<unknown>, string>();
const pages = new WeakMap<JsonText<unknown>, typeof SENT | Buffer>();

/** Marks a cached page that was sent once. When it is sent again, its bytes are cached. */
const SENT = Symbol('sent');

/** A cached record in the envelope; sets its ETag. @throws NotModified if the client has the current version */
export function recordBody(reply: FastifyReply, data: JsonText<unknown>, revision: number): string {
  const body = jsonEnvelope(reply, data.text);
  let etag = etags.get(data);
  if (etag === undefined) etags.set(data, (etag = entityTag(revision, bodyHash(body))));
  setEtag(reply, etag);
  return body;
}

/** A record as JSON text in the envelope; sets its ETag. @throws NotModified if the client has the current version */
export function taggedBody(reply: FastifyReply, text: string, revision: number): string {
  const body = jsonEnvelope(reply, text);
  setEtag(reply, entityTag(revision, bodyHash(body)));
  return body;
}

function setEtag(reply: FastifyReply, etag: string): void {
  void reply.header('etag', etag);
  if (reply.request.method !== 'GET' || !isKnown(reply.request, etag)) return;
  reply.removeHeader('content-type');
  throw new NotModified();
}

/** A page in the envelope. A cached page that is sent repeatedly is encoded only once. */
export function pageBody(reply: FastifyReply, data: JsonText<unknown>): string | Buffer {
  const cached = pages.get(data);
  if (cached instanceof Buffer) {
    setJson(reply);
    return cached;
  }
  const body = jsonEnvelope(reply, data.text);
  if (cached !== SENT) {
    pages.set(data, SENT);
    return body;
  }
  const bytes = Buffer.from(body);
  pages.set(data, bytes);
  return bytes;
}

function jsonEnvelope(reply: FastifyReply, text: string): string {
  setJson(reply);
  return `{"ok":{"data":${text}}}`;
}

function setJson(reply: FastifyReply): void {
  void reply.header('content-type', 'application/json; charset=utf-8');
}
