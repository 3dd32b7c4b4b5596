import type { Answer } from './call.js';
import type { components } from './generated/api.js';
import type { Operation } from './operations.js';
import { revisionOf, type Transport, type WireRequest } from './transport.js';
import type { CommandOptions, ReadOptions } from './types.js';

/** Options of any operation. */
export type AnyOptions = CommandOptions & Pick<ReadOptions, 'min_revision'>;

/** Values in the place of parameters. */
export interface Input {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The path of an operation with its parameters filled in. */
export function pathOf(template: string, { path, query }: Omit<Input, 'body'>): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (!value) throw new TypeError(`"${name}" is missing in a request to ${template}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** The form in which an answer is asked for and read. */
export interface AnswerForm {
  readonly accept?: string;
  readonly read: (response: Response) => Promise<Answer<unknown>>;
}

const JSON_FORM: AnswerForm = { read: answerOf };

/** Sends an operation. @throws DriveError; ConnectionError; the reason of the signal */
export function request(
  transport: Transport,
  { method, path, kind }: Operation,
  input: Input,
  options: AnyOptions,
  { accept, read }: AnswerForm = JSON_FORM,
): Promise<Answer<unknown>> {
  const idempotency_key = kind === 'command' ? keyOf(options) : null;
  const wire: WireRequest = {
    method: method.toUpperCase(),
    path: pathOf(path, input),
    headers: {
      ...(method === 'post' && { 'content-type': 'application/json' }),
      ...(kind === 'command' ? commandHeaders(options, idempotency_key) : {}),
      ...(kind === 'read' || kind === 'query' ? readHeaders(transport, path, options) : {}),
      ...commonHeaders(options),
      ...(accept && { accept }),
    },
    ...(method === 'post' && { body: JSON.stringify(input.body ?? {}) }),
    ...(options.signal && { signal: options.signal }),
    is_repeatable: kind === 'command' ? idempotency_key !== null : kind !== 'once',
  };
  return transport.send(wire, read);
}

function keyOf({ idempotency_key }: AnyOptions): string | null {
  return idempotency_key === undefined ? randomId() : idempotency_key;
}

export function commandHeaders(
  { audit_reason, dry_run, if_match }: AnyOptions,
  idempotency_key: string | null,
): Record<string, string> {
  return {
    ...(idempotency_key !== null && { 'idempotency-key': idempotency_key }),
    ...(audit_reason !== undefined && { 'audit-reason': utf8(audit_reason) }),
    ...(dry_run && { 'dry-run': 'true' }),
    ...(if_match !== undefined && { 'if-match': entityTag(if_match) }),
  };
}

function commonHeaders({ request_id, strict }: AnyOptions): Record<string, string> {
  return {
    ...(request_id !== undefined && { 'x-request-id': request_id }),
    ...(strict && { prefer: 'handling=strict' }),
  };
}

/** The revision that a read must reflect: own writes are read, whichever process answers. */
function readHeaders(
  transport: Transport,
  path: string,
  { min_revision = transport.revision ?? undefined }: AnyOptions,
): Record<string, string> {
  if (min_revision === undefined || !path.includes('{organization_id}')) return {};
  return { 'min-drive-revision': String(min_revision) };
}

function entityTag(value: string | number): string {
  return typeof value === 'number' ? `"${value}"` : value;
}

/** Headers hold bytes: one character each. */
function utf8(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

interface Body {
  readonly ok?: { readonly data: unknown; readonly dry_run?: DryRun };
}

type DryRun = components['schemas']['DryRun'];

/** What an answer says. */
async function answerOf(response: Response): Promise<Answer<unknown>> {
  return answerWith(response, (await response.json()) as Body);
}

export function answerWith(response: Response, body: Body): Answer<unknown> {
  const { headers } = response;
  return {
    data: body.ok ? body.ok.data : body,
    revision: revisionOf(response),
    etag: headers.get('etag'),
    request_id: headers.get('x-request-id'),
    replayed: headers.get('idempotent-replayed') === 'true',
    dry_run: body.ok?.dry_run ?? null,
  };
}

/** A random UUID, also in pages that were not loaded by HTTPS, where browsers have no `randomUUID`. */
export function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
