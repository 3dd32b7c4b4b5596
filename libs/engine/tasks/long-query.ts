import { AsyncLocalStorage } from 'node:async_hooks';

/** All callers of the query have disconnected. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
  constructor() {
    super('all callers of the query have disconnected');
  }
}

/** Cancellation, admission and accounting of a query that may take long. */
export interface LongQuery {
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /**
   * Admits expensive work, such as folding events, until the query ends. Idempotent.
   * @throws the refusal for the caller at its limit of concurrent queries
   */
  begin(): void;
  /** Counts folded events. */
  folded(events: number): void;
  /** Ends the query, answered or not. */
  end(): void;
}

const current = new AsyncLocalStorage<LongQuery | undefined>();

/** The query that the running code works for, if it is known. */
export function currentQuery(): LongQuery | undefined {
  return current.getStore();
}

/** Runs a task for a query; without one the task is independent of all callers and always completes. */
export function runForQuery<T>(query: LongQuery | undefined, task: () => T): T {
  return current.run(query, task);
}

/** Runs a task for a query, and ends the query. */
export async function answerQuery<T>(
  query: LongQuery | undefined,
  task: () => T | Promise<T>,
): Promise<T> {
  try {
    return await runForQuery(query, task);
  } finally {
    query?.end();
  }
}

/** To be called before expensive work. @throws Abandoned, and the refusal of `LongQuery.begin` */
export function admitQuery(): void {
  const query = currentQuery();
  if (query?.signal.aborted) throw new Abandoned();
  query?.begin();
}

/** @throws Abandoned if all callers of the current query have disconnected */
export function throwIfAbandoned(): void {
  if (currentQuery()?.signal.aborted) throw new Abandoned();
}

/** The promise's result, unless the current query is abandoned; the task itself continues. @throws Abandoned */
export async function unlessAbandoned<T>(task: Promise<T>): Promise<T> {
  const signal = currentQuery()?.signal;
  if (!signal) return task;
  const { promise, reject } = Promise.withResolvers<never>();
  const abandon = (): void => reject(new Abandoned());
  if (signal.aborted) abandon();
  signal.addEventListener('abort', abandon);
  try {
    return await Promise.race([task, promise]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
