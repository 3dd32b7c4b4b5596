import { setTimeout as after } from 'node:timers/promises';

/** The server did not answer in time; the request may still be executed. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The client left the node before it answered; another one may be asked at once. */
export class NodeLeft extends NoAnswer {}

/**
 * The promise's result, or a rejection after `ms`: calls to a frozen server would otherwise wait until the connection
 * is detected as dead (20 s). The promise itself continues; a later rejection is ignored.
 * @param left aborted when the client leaves the node: ends the wait
 * @throws NoAnswer; NodeLeft
 */
export function within<T>(promise: Promise<T>, ms: number, left?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLeft = (): void => reject(new NodeLeft('a node of the event store does not answer'));
    left?.addEventListener('abort', onLeft);
    const timer = setTimeout(
      () => reject(new NoAnswer(`the event store did not answer within ${ms} ms`)),
      ms,
    );
    void promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      left?.removeEventListener('abort', onLeft);
    });
  });
}

/** Reads to the end and drops the answers: an interrupted read makes later ones of its connection stall. */
export async function drain<T>(
  iterator: AsyncIterator<T>,
  next: Promise<IteratorResult<T>>,
): Promise<void> {
  try {
    for (let page = await next; !page.done;) page = await iterator.next();
  } catch {
    // The caller no longer waits for an answer.
  }
}

const FIRST_MS = 100;
/** Maximum pause before a retry, however long the outage. */
const LONGEST_MS = 1_000;

/** Increasing pauses between retries, with jitter to desynchronize processes. */
export class Backoff {
  private next_ms = FIRST_MS;

  /** The last attempt succeeded. */
  reset(): void {
    this.next_ms = FIRST_MS;
  }

  /** Resolves early when `stopping`. */
  async wait(stopping: AbortSignal): Promise<void> {
    const wait_ms = this.next_ms * (0.5 + Math.random() / 2);
    this.next_ms = Math.min(2 * this.next_ms, LONGEST_MS);
    await after(wait_ms, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}
