import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { takeStream } from '../platform/requests/streamed.js';
import { contentError } from '../refusals.js';
import { mediaTypeOf } from './headers.js';

/** A form up to its file, which is the last part. */
export interface UploadForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: AsyncIterable<Uint8Array>;
  readonly media_type: string | undefined;
}

/** Limits of what precedes the file. Forms for buckets have up to ten fields. */
const LIMITS = {
  fields: 32,
  fieldNameSize: 100,
  fieldSize: 8_192,
  files: 1,
  parts: 33,
  headerPairs: 16,
  headerSize: 8_192,
};
const FILE_FIELD = 'file';

/**
 * Reads a form up to the part `file`.
 * @param within_ms time in which that much must arrive
 * @throws ApiError `content.malformed-form`, `content.too-slow`
 */
export function readForm(request: FastifyRequest, within_ms: number): Promise<UploadForm> {
  const { body, type = '' } = takeStream(request);
  const { promise, resolve, reject } = Promise.withResolvers<UploadForm>();
  const malformed = (): void => reject(contentError('content.malformed-form'));
  if (!body || !/^multipart\/form-data\s*;/i.test(type)) {
    malformed();
    return promise;
  }
  let parser: BusboyInstance;
  try {
    const headers = { 'content-type': type } as IncomingHttpHeaders & { 'content-type': string };
    parser = new Busboy({ headers, limits: LIMITS });
  } catch {
    malformed();
    return promise;
  }
  const refuse = (error: unknown): void => {
    body.unpipe(parser);
    reject(error as Error);
  };
  const timer = setTimeout(() => refuse(contentError('content.too-slow')), within_ms);
  timer.unref();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: Readable | undefined;
  const fail = (error: Error): void => {
    body.unpipe(parser);
    if (file) file.destroy(error);
    else malformed();
  };
  parser.on('field', (name, value, name_is_cut, value_is_cut) => {
    if (name_is_cut || value_is_cut) fail(new Error('a field is too long'));
    else fields[name] = value;
  });
  parser.on('file', (name, stream, _, __, media_type) => {
    if (name !== FILE_FIELD) {
      stream.resume();
      return fail(new Error('the form has another file'));
    }
    file = stream;
    // Thrown where the bytes are read; without a listener it would end the process.
    stream.on('error', () => {});
    try {
      // What comes after the file counts never, however small the file is.
      const before = { ...fields };
      resolve({ fields: before, file: bytesOf(stream), media_type: mediaTypeIn(media_type) });
    } catch (error) {
      refuse(error);
    }
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(new Error('the form has too many parts')));
  parser.on('error', (error) => fail(error as Error));
  parser.on('finish', () => file ?? malformed());
  body.on('error', fail);
  body.on('close', () => {
    if (!request.raw.complete)
      fail(Object.assign(new Error('the client disconnected'), { code: 'ECONNRESET' }));
  });
  body.pipe(parser);
  return promise.finally(() => clearTimeout(timer));
}

/** The bytes of the file. A form that ends within it is malformed. */
async function* bytesOf(stream: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw (error as { code?: string }).code === 'ECONNRESET'
      ? error
      : contentError('content.malformed-form');
  }
}

/** The type of the part; the parser's default means that it has none. */
function mediaTypeIn(type: string): string | undefined {
  return type === 'text/plain' ? undefined : mediaTypeOf(type);
}
