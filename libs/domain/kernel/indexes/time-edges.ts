/**
 * The times at which a time window in a state opens or closes, earliest first. Caches of answers compare `epoch`, which
 * increases whenever time passes an edge.
 *
 * Edges of records that were changed or deleted since remain until time passes them. Each costs 8 bytes and at most one
 * needless cache miss.
 */
export class TimeEdges {
  private readonly heap: number[] = [];
  /** The latest time ever passed to `pass`. */
  private passed_ms = -Infinity;
  /** The last time passed to `pass`; earlier than `passed_ms` if time went back. */
  private now_ms = -Infinity;
  /** No edge is later than this and not later than `passed_ms`. */
  private last_edge_ms = -Infinity;
  epoch = 0;

  /** Adds an edge (ms). Of passed edges only the last one is known, and "never" (0, -1) is ignored. */
  add(edge_ms: number): void {
    if (edge_ms <= 0) return;
    if (edge_ms <= this.passed_ms) {
      this.last_edge_ms = Math.max(this.last_edge_ms, edge_ms);
      return;
    }
    const { heap } = this;
    let at = heap.length;
    heap.push(edge_ms);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= edge_ms) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = edge_ms;
  }

  /** False if no edge lies after one time (ms) and not after a later one. */
  mayBeWithin(after_ms: number, to_ms: number): boolean {
    // Of edges that time has passed only the last one is known.
    if (after_ms < this.last_edge_ms) return true;
    return this.heap.some((edge_ms) => edge_ms > after_ms && edge_ms <= to_ms);
  }

  /**
   * Advances time to `now` (ms) and discards the edges before it. Time may go back: a query that awaited something
   * continues at its own time, and past states are queried at several. Then every change of time before the last passed
   * edge starts a new epoch.
   */
  pass(now: number): void {
    if (now === this.now_ms) return;
    const earlier = Math.min(now, this.now_ms);
    this.now_ms = now;
    if (earlier < this.passed_ms && earlier < this.last_edge_ms) this.epoch++;
    if (now <= this.passed_ms) return;
    this.passed_ms = now;
    if (this.heap.length === 0 || this.heap[0]! > now) return;
    this.epoch++;
    while (this.heap.length > 0 && this.heap[0]! <= now) {
      this.last_edge_ms = this.heap[0]!;
      this.dropSoonest();
    }
  }

  private dropSoonest(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= last) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}
