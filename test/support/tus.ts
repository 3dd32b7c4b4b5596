import { Upload, type UploadOptions } from 'tus-js-client';
import type { Client } from './client.js';
import { raw, type RawAnswer, type RawBody } from './content.js';

const VERSION = { 'tus-resumable': '1.0.0' };

/** `Upload-Metadata` of values. */
export function metadataOf(values: Readonly<Record<string, string | Buffer>>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value as string).toString('base64')}`)
    .join(',');
}

/** Creates an upload for a file. */
export function createUpload(
  client: Client,
  file_id: string,
  length: number | null,
  more: { metadata?: Record<string, string | Buffer>; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  return raw(client, '/directory/uploads', {
    method: 'POST',
    headers: {
      ...VERSION,
      ...(length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
      'upload-metadata': metadataOf({ file_id, ...more.metadata }),
      ...more.headers,
    },
  });
}

/** Sends bytes to an upload. */
export function sendTo(
  client: Client,
  url: string,
  offset: number,
  body: RawBody,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return raw(client, url, {
    method: 'PATCH',
    body,
    headers: {
      ...VERSION,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      ...headers,
    },
  });
}

/** Asks for an upload's state, or deletes it. */
export function ofUpload(
  client: Client,
  url: string,
  method: 'HEAD' | 'DELETE' = 'HEAD',
): Promise<RawAnswer> {
  return raw(client, url, { method, headers: VERSION });
}

/** An upload by tus-js-client, and its end. */
export interface TusUpload {
  readonly upload: Upload;
  readonly done: Promise<void>;
}

/** Starts an upload by tus-js-client; it does not retry unless told to. */
export function startTus(
  client: Client,
  file_id: string,
  bytes: Buffer,
  options: Partial<UploadOptions> = {},
): TusUpload {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const upload = new Upload(bytes, {
    endpoint: `${client.base}/directory/uploads`,
    headers: { authorization: `Bearer ${client.token}` },
    metadata: { file_id },
    retryDelays: null,
    ...options,
    onSuccess: () => resolve(),
    onError: reject,
  });
  upload.start();
  return { upload, done };
}
