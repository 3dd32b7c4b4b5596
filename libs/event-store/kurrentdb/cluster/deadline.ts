/** The server did not answer in time; what was asked may still happen. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/**
 * The promise's outcome, or after `ms` a rejection: calls to a frozen server would otherwise wait for the connection
 * to be found dead (20 s). The promise itself goes on; a later rejection of it is nobody's concern.
 * @param left aborted when the node is left: nothing more is waited for
 * @throws NoAnswer
 */
export function within<T>(promise: Promise<T>, ms: number, left?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onLeft = (): void => reject(new NoAnswer('a node of the event store fell silent'));
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
