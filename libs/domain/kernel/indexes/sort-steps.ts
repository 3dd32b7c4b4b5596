/** Items sorted or merged per step. */
const SORTED_AT_ONCE = 1024;

/** Sorts an array in place, stably, in small steps. It must not change otherwise meanwhile. */
export function* sortSteps<T>(items: T[], compare: (a: T, b: T) => number): Generator<void> {
  let from = items;
  for (let at = 0; at < from.length; at += SORTED_AT_ONCE) {
    const run = from.slice(at, at + SORTED_AT_ONCE).sort(compare);
    for (const [nth, item] of run.entries()) from[at + nth] = item;
    yield;
  }
  let to = items.slice();
  for (let width = SORTED_AT_ONCE; width < items.length; width *= 2) {
    for (let begin = 0; begin < items.length; begin += 2 * width) {
      const middle = Math.min(begin + width, items.length);
      const end = Math.min(begin + 2 * width, items.length);
      let [left, right] = [begin, middle];
      for (let at = begin; at < end; at++) {
        const takes_left =
          left < middle && (right >= end || compare(from[left]!, from[right]!) <= 0);
        to[at] = from[takes_left ? left++ : right++]!;
        if (at % SORTED_AT_ONCE === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  if (from !== items) for (const [at, item] of from.entries()) items[at] = item;
}
