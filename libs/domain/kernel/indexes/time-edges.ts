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
  epoch = 0;

  /** Adds an edge (ms). Passed edges and "never" (0, -1) are ignored. */
  add(edge_ms: number): void {
    if (edge_ms <= 0 || edge_ms <= this.passed_ms) return;
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

  /**
   * Advances time to `now` (ms) and discards the edges before it. If time goes back, as in queries of one past state at
   * several times, every change of time starts a new epoch.
   */
  pass(now: number): void {
    if (now === this.now_ms) return;
    const was_back = this.now_ms < this.passed_ms;
    this.now_ms = now;
    if (now < this.passed_ms || was_back) this.epoch++;
    if (now <= this.passed_ms) return;
    this.passed_ms = now;
    if (this.heap.length === 0 || this.heap[0]! > now) return;
    this.epoch++;
    while (this.heap.length > 0 && this.heap[0]! <= now) this.dropSoonest();
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
