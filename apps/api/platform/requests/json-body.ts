import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.js';
import { UnreadableBody } from './validation.js';

/** The bytes of a body until the guards of its route have admitted the request. Others cost no parsing. */
class ReceivedBody {
  constructor(readonly bytes: Buffer) {}
}

/**
 * Reads every body as JSON, also without a content type. A body that cannot be parsed becomes an
 * `UnreadableBody`, which the validation pipe throws. Too large bodies are refused at once.
 * @returns parses the body of a request, once
 */
export function installJsonParser(server: FastifyInstance): (request: FastifyRequest) => void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  // Fastify caches the parser of a named type, but not that of '*'.
  const types = ['application/json', '*'];
  server.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (_, bytes, done) => {
    done(null, bytes.length === 0 ? undefined : new ReceivedBody(bytes));
  });
  return (request) => {
    if (!(request.body instanceof ReceivedBody)) return;
    const { bytes } = request.body;
    const { 'content-type': type, 'content-encoding': encoding } = request.headers;
    if (type !== undefined && !isJson(type)) request.body = unreadable('request.media-type');
    else if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      request.body = unreadable('request.media-type', 'Encoded bodies are not accepted.');
    else if (!isUtf8(bytes)) request.body = unreadable('request.malformed-json');
    else
      void parseJson(request, bytes.toString(), (error, parsed) => {
        request.body = error ? unreadable('request.malformed-json') : parsed;
      });
  };
}

function unreadable(
  type: 'request.malformed-json' | 'request.media-type',
  message?: string,
): UnreadableBody {
  return new UnreadableBody(ApiError.of(type, message === undefined ? {} : { message }));
}

function isJson(content_type: string): boolean {
  if (content_type === 'application/json') return true;
  const [type = ''] = content_type.toLowerCase().split(';', 1);
  return /^\s*application\/(?:json|[\w.-]+\+json)\s*$/.test(type);
}
