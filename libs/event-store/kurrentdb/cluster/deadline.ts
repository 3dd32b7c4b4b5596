/** The server did not answer in time; what was asked may still happen. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The node was left before it answered; another one may be asked at once. */
export class NodeLeft extends NoAnswer {}

/**
 * The promise's outcome, or after `ms` a rejection: calls to a frozen server would otherwise wait for the connection
 * to be found dead (20 s). The promise itself goes on; a later rejection of it is nobody's concern.
 * @param left aborted when the node is left: nothing more is waited for
 * @throws NoAnswer; NodeLeft
 */
export function within<T>(promise: Promise<T>, ms: number, left?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLeft = (): void => reject(new NodeLeft('a node of the event store fell silent'));
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

/** Reads to the end and drops the answers: a read that is broken off makes later ones of its connection stall. */
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
