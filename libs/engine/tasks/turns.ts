import { checkWork } from './question.js';

/**
 * Longest stretch of work between two turns of the event loop, ms. A request that comes meanwhile waits for
 * one or two of them.
 */
export const STRETCH_MS = 5;

/** Long tasks that wait to go on, in order. */
const waiting: (() => void)[] = [];

/** One task goes on in each turn of the event loop: all together hold it no longer than one does. */
function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

/** The pace of one long task: it works for at most `STRETCH_MS`, then lets the event loop have a turn. */
export class Pace {
  private due_ms = performance.now() + STRETCH_MS;

  /** True once a turn is due. */
  get is_due(): boolean {
    return performance.now() >= this.due_ms;
  }

  /** Lets the event loop have a turn. @throws Abandoned if nobody waits for the work at hand any more */
  async turn(): Promise<void> {
    await nextTurn();
    checkWork();
    this.due_ms = performance.now() + STRETCH_MS;
  }
}

/** Takes steps, each of them short, in turns. @throws Abandoned, and what the steps throw */
export async function inTurns(steps: Iterable<unknown>): Promise<void> {
  const pace = new Pace();
  for (const _ of steps) if (pace.is_due) await pace.turn();
}
