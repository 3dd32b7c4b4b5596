import type { Call, ListCall, PagedCall } from './call.js';
import type { paths } from './generated/api.js';
import type { Kind, Operation, Operations } from './operations.js';

/** Options of every operation. */
export interface ReadOptions {
  /** Aborts the request, its retries and the waits between them. */
  readonly signal?: AbortSignal;
  /** `X-Request-Id`, 1–128 visible ASCII characters; it is the `correlation_id` of the events. */
  readonly request_id?: string;
  /** The answer must reflect the organization at least up to this revision; default: the last one seen by this client. */
  readonly min_revision?: number;
  /** True: unknown fields of the body are refused with 400. */
  readonly strict?: boolean;
}

/** Options of operations that change an organization. */
export interface CommandOptions extends Omit<ReadOptions, 'min_revision'> {
  /** Default: a random one per call; null: none, then the call is repeated only after a refusal with 429. */
  readonly idempotency_key?: string | null;
  /** Reason stored with the events, at most 512 characters. */
  readonly audit_reason?: string;
  /** True: everything is checked and decided, and nothing is stored. `withResponse()` has the events. */
  readonly dry_run?: boolean;
  /** ETag or revision of the record: `request.precondition-failed` if the record has changed since. */
  readonly if_match?: string | number;
}

/** Options of operations with an effect that take no Idempotency-Key. */
export type OnceOptions = Pick<CommandOptions, 'signal' | 'request_id' | 'strict' | 'audit_reason'>;

type OptionsOf<K extends Kind> = K extends 'command'
  ? CommandOptions
  : K extends 'once'
    ? OnceOptions
    : ReadOptions;

type Documented<O extends Operation> = O['path'] extends keyof paths
  ? paths[O['path']][O['method'] & keyof paths[O['path']]]
  : never;

/** Parameters of the path, without the organization. */
type PathParameters<D> = D extends { parameters: { path: infer P extends object } }
  ? Exclude<keyof P, 'organization_id'>
  : never;

type Query<D> = D extends { parameters: { query?: infer Q } }
  ? Omit<NonNullable<Q>, 'as_of' | 'as_user' | 'envelope'>
  : unknown;

type PathArguments<D> = [PathParameters<D>] extends [never] ? [] : [id: string];

type BodyArguments<D, Options> = D extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? [body: B, options?: Options]
  : D extends { requestBody?: { content: { 'application/json': infer B } } }
    ? [body?: B, options?: Options]
    : [keyof Query<D>] extends [never]
      ? [options?: Options]
      : Partial<Query<D>> extends Query<D>
        ? [query?: Query<D>, options?: Options]
        : [query: Query<D>, options?: Options];

type Json<D> = D extends { responses: { 200: { content: { 'application/json': infer R } } } }
  ? R
  : never;

type InEnvelope<R> = R extends { ok: { data: infer Data } } ? Data : never;

/** `ok.data` of a response, or the whole response where there is no envelope. */
type DataOf<R> = [InEnvelope<R>] extends [never] ? R : InEnvelope<R>;

type CallOf<Data> = Data extends { items: readonly (infer Item)[]; cursor_down: string | null }
  ? ListCall<Data, Item>
  : Data extends { cursor: string | null }
    ? PagedCall<Data>
    : Call<Data>;

/** The function of an operation. */
export type Method<O extends Operation> = (
  ...input: [...PathArguments<Documented<O>>, ...BodyArguments<Documented<O>, OptionsOf<O['kind']>>]
) => CallOf<DataOf<Json<Documented<O>>>>;

type KindsOf<Table> = Table extends Operation
  ? Table['kind']
  : { [Name in keyof Table]: KindsOf<Table[Name]> }[keyof Table];

/** The functions of the operations of these kinds. */
export type Methods<Table extends Operations, Kinds extends Kind = Kind> = {
  readonly [
    Name in keyof Table as KindsOf<Table[Name]> & Kinds extends never ? never : Name
  ]: Table[Name] extends Operation
    ? Method<Table[Name]>
    : Table[Name] extends Operations
      ? Methods<Table[Name], Kinds>
      : never;
};
