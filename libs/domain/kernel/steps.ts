/** Work in small steps, between which others may have a turn, and its result. */
export type Steps<Result = void> = Generator<void, Result>;

/** Items per step. Those that cost most, copies of files, take some microseconds each. */
const ITEMS_AT_ONCE = 50;

export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does the same for each item. */
export function* forEach<Item>(items: Iterable<Item>, work: (item: Item) => void): Steps {
  let nth = 0;
  for (const item of items) {
    work(item);
    if (++nth % ITEMS_AT_ONCE === 0) yield;
  }
}
