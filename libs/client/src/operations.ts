/**
 * How an operation is sent. The tables of operations are generated (`tools/client-operations.js`).
 * - `read` has no effect and can be asked of any past point,
 * - `query` has no effect and is about now, or takes points in its body,
 * - `command` changes the organization; an Idempotency-Key makes it safe to repeat,
 * - `once` has an effect and takes no Idempotency-Key: it is repeated only if it was refused.
 */
export type Kind = 'read' | 'query' | 'command' | 'once';

/** An operation of the API. */
export interface Operation<
  Method extends 'get' | 'post' = 'get' | 'post',
  Path extends string = string,
  K extends Kind = Kind,
> {
  readonly method: Method;
  readonly path: Path;
  readonly kind: K;
  /** Takes parameters in the query. */
  readonly has_query?: true;
  /** A POST that takes no body. */
  readonly without_body?: true;
}

/** Operations by name; the names are the parts of the paths. */
export interface Operations {
  readonly [name: string]: Operation | Operations;
}

export function isOperation(entry: Operation | Operations): entry is Operation {
  return typeof entry.path === 'string';
}
