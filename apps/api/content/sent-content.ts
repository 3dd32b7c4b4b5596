import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { takeStream } from '../platform/requests/streamed.js';
import { contentError, invalidHeader } from '../refusals.js';

/** Bytes of a content as a request sends them. */
interface SentContent {
  /** Empty if the request has no body. */
  readonly source: Readable;
  /** Number of bytes, if announced. */
  readonly bytes: number | undefined;
  /** Content-Type of the request. */
  readonly type: string | undefined;
}

/** Takes the body from a streamed request. @throws ApiError `content.encoded`, `request.invalid-header` */
export function sentContent(request: FastifyRequest): SentContent {
  const { body, type } = takeStream(request);
  const { headers } = request;
  const { 'content-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined && encoding !== 'identity') throw contentError('content.encoded');
  // Node.js decodes no other coding: the encoded bytes would become the content.
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked'))
    throw invalidHeader('The header Transfer-Encoding must be chunked, without another coding.');
  const bytes = body && length === undefined ? undefined : Number(length ?? 0);
  return { source: body ?? Readable.from([]), bytes, type };
}
