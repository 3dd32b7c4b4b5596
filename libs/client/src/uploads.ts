import { ConnectionError, DriveError } from './errors.js';
import { type Part, partsOf } from './parts.js';
import { commandHeaders, pathOf, randomId } from './requests.js';
import { backoff, type RetryLimits, sleep, waitBefore } from './retry.js';
import type { Transport } from './transport.js';

/** Content of a file. */
export type Content = Blob | Uint8Array | ReadableStream<Uint8Array>;

export interface UploadProgress {
  /** Bytes received by the service. */
  readonly sent: number;
  /** Null for a stream until its end is known. */
  readonly total: number | null;
}

/** Options of a content sent in one request. */
export interface WholeOptions {
  /** Default: that of a Blob, else the type for the file's name. */
  readonly media_type?: string;
  /** Aborts the upload; what was sent is deleted. */
  readonly signal?: AbortSignal;
  /** Reason stored with the event, at most 512 characters. */
  readonly audit_reason?: string;
}

export interface UploadOptions extends WholeOptions {
  readonly on_progress?: (progress: UploadProgress) => void;
  /** Bytes of a part of a resumable upload; larger contents go in parts. Default: 8 MiB. */
  readonly part_bytes?: number;
}

const PART_BYTES = 8 * 1024 * 1024;
const CONTENT = '/v1/drive/{organization_id}/directory/content/{file_id}';
const BY_NAME = '/v1/drive/{organization_id}/directory/content/{folder_id}/{name}';
const UPLOADS = '/v1/drive/{organization_id}/directory/uploads';
const TUS = { 'tus-resumable': '1.0.0' };

/** Stores the content of a file. @throws DriveError; ConnectionError; RangeError; the reason of the signal */
export async function upload(
  transport: Transport,
  organization_id: string,
  file_id: string,
  content: Content,
  options: UploadOptions,
): Promise<void> {
  const { part_bytes = PART_BYTES } = options;
  if (!(part_bytes >= 1)) throw new RangeError('part_bytes must be at least 1');
  const total = sizeOf(content);
  const path = { organization_id, file_id };
  options.on_progress?.({ sent: 0, total });
  if (total !== null && total <= part_bytes) {
    await sendWhole(transport, pathOf(CONTENT, { path, query: {} }), content as Blob, options);
    options.on_progress?.({ sent: total, total });
    return;
  }
  const resumable = new ResumableUpload(transport, pathOf(UPLOADS, { path, query: {} }), options);
  try {
    await resumable.create(file_id, total, mediaTypeOf(content, options));
  } catch (error) {
    if (content instanceof ReadableStream) await content.cancel(error).catch(() => {});
    throw error;
  }
  try {
    for await (const part of partsOf(content, part_bytes)) await resumable.add(part);
  } catch (error) {
    await resumable.remove();
    throw error;
  }
}

/** Creates or replaces a file by its name, in one request. @returns the body of the response */
export async function putByName(
  transport: Transport,
  path: { readonly organization_id: string; readonly folder_id: string; readonly name: string },
  content: Blob | Uint8Array,
  options: WholeOptions,
): Promise<string> {
  const response = await sendWhole(
    transport,
    pathOf(BY_NAME, { path, query: {} }),
    content,
    options,
  );
  return new TextDecoder().decode(response);
}

function sendWhole(
  transport: Transport,
  path: string,
  content: Blob | Uint8Array,
  options: WholeOptions,
): Promise<ArrayBuffer> {
  const media_type = mediaTypeOf(content, options);
  return transport.send(
    {
      method: 'PUT',
      path,
      headers: {
        ...(media_type && { 'content-type': media_type }),
        ...commandHeaders(options, randomId()),
      },
      body: content as Blob,
      ...(options.signal && { signal: options.signal }),
      is_repeatable: true,
    },
    (response) => response.arrayBuffer(),
  );
}

function mediaTypeOf(content: Content, { media_type }: WholeOptions): string | undefined {
  return media_type || (content instanceof Blob && content.type) || undefined;
}

function sizeOf(content: Content): number | null {
  if (content instanceof Blob) return content.size;
  return content instanceof Uint8Array ? content.byteLength : null;
}

/** An upload in parts: tus 1.0. */
class ResumableUpload {
  #path = '';
  #total: number | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly uploads_path: string,
    private readonly options: UploadOptions,
  ) {}

  async create(file_id: string, total: number | null, media_type?: string): Promise<void> {
    const metadata = [`file_id ${btoa(file_id)}`];
    if (media_type) metadata.push(`filetype ${btoa(media_type)}`);
    const response = await this.#send('POST', this.uploads_path, {
      'upload-metadata': metadata.join(','),
      ...(total === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(total) }),
    });
    // The address may name another host than the one that this client knows.
    const upload_id = response.headers.get('location')!.split('/').at(-1)!;
    this.#path = `${this.uploads_path}/${upload_id}`;
    this.#total = total;
  }

  /** Sends a part; after a lost connection, the bytes that the service has not received. */
  async add({ offset: start, bytes, is_last }: Part): Promise<void> {
    const { transport, options } = this;
    const end = start + bytes.size;
    if (is_last) this.#total = end;
    let offset = start;
    let has_length = true;
    for (let nth = 1; ; nth++) {
      try {
        await this.#patch(offset, bytes.slice(offset - start), is_last ? end : null);
        offset = end;
        has_length = true;
      } catch (error) {
        options.signal?.throwIfAborted();
        const wait_ms = waitAfter(error, nth, transport.retry);
        if (wait_ms === null || nth >= transport.retry.attempts) throw error;
        await sleep(wait_ms, options.signal);
        const { headers } = await this.#send('HEAD', this.#path, {});
        const received = Number(headers.get('upload-offset'));
        // A last part without bytes has been received only if its length has.
        has_length = !is_last || headers.has('upload-length');
        // Earlier parts are no longer at hand.
        if (!(received >= start && received <= end)) throw outOfStep(received, start);
        if (received > offset) nth = 1;
        offset = received;
      }
      options.on_progress?.({ sent: offset, total: this.#total });
      if (offset === end && has_length) return;
    }
  }

  /** Deletes what was sent; the service does it after a day if this fails. */
  async remove(): Promise<void> {
    const request = { method: 'DELETE', path: this.#path, headers: TUS, is_repeatable: true };
    await this.transport.once(request).catch(() => {});
  }

  async #patch(offset: number, body: Blob, length: number | null): Promise<void> {
    const { audit_reason, signal } = this.options;
    const { headers } = await this.transport.once({
      method: 'PATCH',
      path: this.#path,
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...(length !== null && { 'upload-length': String(length) }),
        ...commandHeaders({ ...(audit_reason !== undefined && { audit_reason }) }, null),
      },
      body,
      ...(signal && { signal }),
      is_repeatable: true,
    });
    const received = Number(headers.get('upload-offset'));
    if (received !== offset + body.size) throw outOfStep(received, offset + body.size);
  }

  #send(method: string, path: string, headers: Record<string, string>): Promise<Response> {
    const { signal } = this.options;
    return this.transport.send(
      {
        method,
        path,
        headers: { ...TUS, ...headers },
        ...(signal && { signal }),
        is_repeatable: true,
      },
      (response) => response,
    );
  }
}

function outOfStep(received: number, sent: number): ConnectionError {
  const message = `The service has ${received} bytes of the upload, although ${sent} were sent`;
  return new ConnectionError(message, null);
}

/** Milliseconds to wait before the service is asked how much it received; null: the error is final. */
function waitAfter(error: unknown, nth: number, limits: RetryLimits): number | null {
  const is_out_of_step =
    error instanceof DriveError && ['upload.locked', 'upload.wrong-offset'].includes(error.type);
  return is_out_of_step ? backoff(nth, limits) : waitBefore(error, nth, true, limits);
}
