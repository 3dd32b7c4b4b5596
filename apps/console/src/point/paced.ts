/** Values that come quickly one after the other, and are handled in pauses: the first one at once, then the latest. */
export interface Paced<T> {
  push(value: T): void;
  /** Forgets the value that waits. */
  cancel(): void;
}

export function paced<T>(pause_ms: number, handle: (value: T) => void): Paced<T> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let waiting: { readonly value: T } | null = null;
  const handleWaiting = (): void => {
    timer = null;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    timer = setTimeout(handleWaiting, pause_ms);
    handle(value);
  };
  return {
    push(value) {
      waiting = { value };
      if (timer === null) handleWaiting();
    },
    cancel() {
      waiting = null;
    },
  };
}
