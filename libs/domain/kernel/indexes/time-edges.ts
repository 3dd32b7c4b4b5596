/**
 * The times at which a window of a state opens or closes, soonest first. Caches of answers
 * compare `epoch`: it increases whenever time has passed an edge.
 *
 * Edges of records that were changed or removed since stay until time passes them: 8 bytes each, and in the worst
 * case an answer made anew for nothing.
 */
export class TimeEdges {
  private readonly heap: number[] = [];
  /** Latest time that passed. */
  private passed_ms = -Infinity;
  /** Time that passed last; before `passed_ms` only if time went back. */
  private now_ms = -Infinity;
  epoch = 0;

  /** Notes an edge (ms). Edges already passed and "never" (0, -1) need no note. */
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
   * Lets time pass to `now` (ms). The edges behind are forgotten, so where time goes back (a state of
   * the past is asked about several of its moments) every other moment is another epoch.
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
