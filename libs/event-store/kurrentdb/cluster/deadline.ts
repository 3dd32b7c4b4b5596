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
