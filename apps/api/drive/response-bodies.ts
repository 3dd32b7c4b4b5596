import type { FastifyReply } from 'fastify';
import type { JsonText } from '../../../libs/application/views.js';
import { NotModified } from '../platform/errors.js';
import { bodyHash, entityTag, isKnown } from './entity-tags.js';

/** A cached record in the envelope; sets its ETag. @throws NotModified if the client has the current version */
export function recordBody(reply: FastifyReply, data: JsonText<unknown>, revision: number): string {
  const body = jsonEnvelope(reply, data.text);
  setEtag(reply, (data.etag ??= entityTag(revision, bodyHash(body))));
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

/** A page in the envelope. A page that is sent again is encoded only once. */
export function pageBody(reply: FastifyReply, data: JsonText<unknown>): string | Buffer {
  if (data.bytes instanceof Buffer) {
    setJson(reply);
    return data.bytes;
  }
  const body = jsonEnvelope(reply, data.text);
  if (data.bytes === undefined) {
    data.bytes = 'once sent';
    return body;
  }
  return (data.bytes = Buffer.from(body));
}

function jsonEnvelope(reply: FastifyReply, text: string): string {
  setJson(reply);
  return `{"ok":{"data":${text}}}`;
}

function setJson(reply: FastifyReply): void {
  void reply.header('content-type', 'application/json; charset=utf-8');
}
