import { callOf, type ListCall } from './call.js';
import { isOperation, type Operation, type Operations } from './operations.js';
import { type AnyOptions, type Input, request } from './requests.js';
import type { Transport } from './transport.js';
import type { Methods } from './types.js';

/** What is the same in all requests of a client. */
export interface Scope {
  /** Absent outside organizations. */
  readonly organization_id?: string;
  /** `as_of` and `as_user`. */
  readonly query?: Readonly<Record<string, string>>;
  /** Operations of other kinds are omitted. Default: all. */
  readonly only?: 'read';
}

/** Query of batches of actions: the outcomes are in the usual envelope. */
export const ENVELOPE = { envelope: 'ok' };

export function methodsOf<Table extends Operations>(
  transport: Transport,
  table: Table,
  scope: Scope,
): Methods<Table> {
  const methods: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(table))
    if (!isOperation(entry)) methods[name] = methodsOf(transport, entry, scope);
    else if (!scope.only || entry.kind === scope.only)
      methods[name] = methodOf(transport, entry, scope);
  return methods as Methods<Table>;
}

function methodOf(transport: Transport, operation: Operation, scope: Scope) {
  const [parameter] = [...operation.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'organization_id');
  const always = operation.path.endsWith('/directory/action') ? ENVELOPE : {};
  return (...given: unknown[]): ListCall<unknown, unknown> => {
    const id = parameter === undefined ? undefined : (given.shift() as string);
    const { body, query, options } = argumentsOf(operation, given);
    const input = (more: object): Input => ({
      path: {
        ...(scope.organization_id && { organization_id: scope.organization_id }),
        ...(parameter !== undefined && { [parameter]: id! }),
      },
      query: { ...scope.query, ...always, ...query },
      body: { ...body, ...more },
    });
    const send = (more: object) => request(transport, operation, input(more), options);
    return callOf(send({}), (cursor_down) => send({ cursor_down, cursor_up: undefined }));
  };
}

interface Given {
  readonly body?: object;
  readonly query?: Record<string, string>;
  readonly options: AnyOptions;
}

/** The arguments after the one for the path. */
function argumentsOf(operation: Operation, given: unknown[]): Given {
  const [first, second] = given as [object | undefined, AnyOptions | undefined];
  if (operation.has_query) return { query: textsOf(first ?? {}), options: second ?? {} };
  if (operation.method === 'post' && !operation.without_body)
    return { body: first ?? {}, options: second ?? {} };
  return { options: (first as AnyOptions | undefined) ?? {} };
}

/** Values of a query; undefined ones are omitted. */
export function textsOf(values: object): Record<string, string> {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]));
}
