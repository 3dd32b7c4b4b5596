import { createHash } from 'node:crypto';
import type { Client } from './client.js';
import { replicas } from './replicas.js';

/** An answer with its bytes. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The parsed body, if it is JSON. */
  readonly body: any;
}

export type RawBody = NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: RawBody;
  /** False: without the client's token. */
  readonly with_token?: boolean;
}

/** Sends any body and gives the bytes of the answer. @param path below the client's base, or a URL */
export async function raw(
  client: Client,
  path: string,
  request: RawRequest = {},
): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body, with_token = true } = request;
  const url = path.startsWith('http') ? path : client.base + path;
  const to = replicas.route(url, headers);
  const response = await fetch(to.url, {
    method,
    redirect: 'manual',
    ...(body !== undefined && { body: body as NonNullable<RequestInit['body']>, duplex: 'half' }),
    headers: {
      ...(with_token && client.token && { authorization: `Bearer ${client.token}` }),
      ...to.headers,
    },
  });
  replicas.answered(to.url, response.headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  const is_json = /json/.test(response.headers.get('content-type') ?? '');
  let parsed: unknown;
  try {
    parsed = is_json ? JSON.parse(bytes.toString()) : undefined;
  } catch {
    parsed = undefined;
  }
  return { status: response.status, headers: response.headers, bytes, body: parsed };
}

/** Uploads by PUT. */
export function put(
  client: Client,
  file_id: string,
  body: RawBody,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return raw(client, `/directory/content/${file_id}`, { method: 'PUT', body, headers });
}

/** Creates or replaces a file by its name in a folder; the name is already encoded. */
export function putIn(
  client: Client,
  folder_id: string,
  name: string,
  body: RawBody,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const path = `/directory/content/${folder_id}/${name}`;
  return raw(client, path, { method: 'PUT', body, headers });
}

/** A file's content. @param query with its question mark */
export function download(
  client: Client,
  file_id: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return raw(client, `/directory/asset/${file_id}.bin${query}`, { headers });
}

/** An upload form as the service gives it. */
export interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Posts an upload form as a browser does: without a token, the fields first and the file last. */
export function postForm(
  client: Client,
  { url, fields }: Form,
  bytes: Uint8Array,
  type = 'application/octet-stream',
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), 'upload.bin');
  return raw(client, url, { method: 'POST', headers, body: form, with_token: false });
}

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `Repr-Digest` of a content. */
export function digestOf(bytes: Uint8Array | string): string {
  return `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
}
