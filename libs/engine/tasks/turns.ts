import { throwIfAbandoned } from './long-query.js';

/**
 * Maximum time between two yields to the event loop, ms. A request waits for such a slice whenever it needs a turn:
 * several times. A yield costs some microseconds.
 */
const STRETCH_MS = 1;

/** Long tasks waiting to resume, in order. */
const waiting: (() => void)[] = [];

/** One task resumes per turn of the event loop, so all tasks together block it no longer than one. */
function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** The pace of one long task: it yields to the event loop after at most `STRETCH_MS`. */
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
    this.due_ms = performance.now() + STRETCH_MS;
  }
}

/** Runs short steps cooperatively. @throws Abandoned, and errors of the steps */
export async function inTurns(steps: Iterable<unknown>): Promise<void> {
  const pace = new Pace();
  for (const _ of steps) if (pace.is_due) await pace.turn();
}
