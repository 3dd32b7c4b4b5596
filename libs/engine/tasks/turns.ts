import { throwIfAbandoned } from './long-query.js';

/**
 * Maximum time between two yields to the event loop, ms. A request waits for such a slice whenever it needs a turn:
 * several times. A yield costs some microseconds.
 */
const STRETCH_MS = 1;
/**
 * While turns are long, a slice takes half of what the others took, up to so many ms: else a task that follows what
 * they change would never be done.
 */
const SHARE = 0.5;
const LONGEST_STRETCH_MS = 10;

/** Long tasks waiting to resume, in order. */
const waiting: (() => void)[] = [];
/** Of the present turn. */
let stretch_ms = STRETCH_MS;
/** When a task yielded last, by `performance.now()`. */
let yielded_ms = 0;

/** One task resumes per turn of the event loop, so all tasks together block it no longer than one. */
function goOn(): void {
  const others_ms = performance.now() - yielded_ms;
  stretch_ms = Math.min(LONGEST_STRETCH_MS, Math.max(STRETCH_MS, SHARE * others_ms));
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    yielded_ms = performance.now();
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** The pace of one long task: it yields to the event loop after `STRETCH_MS`, later while turns are long. */
export class Pace {
  private due_ms = performance.now() + STRETCH_MS;

  /** True once a yield is due. */
  get is_due(): boolean {
    return performance.now() >= this.due_ms;
  }

  /** Yields to the event loop. @throws Abandoned if all callers of the current query have disconnected */
  async turn(): Promise<void> {
    await nextTurn();
    throwIfAbandoned();
    this.due_ms = performance.now() + stretch_ms;
  }
}

/** The result of steps: at once if there is only one, else cooperatively. @throws Abandoned, and errors of the steps */
export function nowOrInTurns<Result>(steps: Generator<unknown, Result>): Result | Promise<Result> {
  const first = steps.next();
  return first.done ? first.value : inTurns(steps);
}

/** The result of short steps that are run cooperatively. @throws Abandoned, and errors of the steps */
export async function inTurns<Result>(steps: Iterable<unknown, Result>): Promise<Result> {
  const pace = new Pace();
  const remaining = steps[Symbol.iterator]();
  try {
    let step = remaining.next();
    for (; !step.done; step = remaining.next()) if (pace.is_due) await pace.turn();
    return step.value;
  } finally {
    remaining.return?.();
  }
}
