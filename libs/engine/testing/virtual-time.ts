import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Timer } from '../writer/write-turns.js';

/** Turns of the event loop after which what runs without waiting has ended. */
const TURNS = 20;

/** Time that goes on only when everything waits for it. */
export class VirtualTime implements Timer {
  private at_ms = 0;
  private readonly waiting: { readonly due_ms: number; readonly resume: () => void }[] = [];

  readonly now = (): number => this.at_ms;

  readonly wait = (ms: number): Promise<void> =>
    new Promise((resume) => {
      this.waiting.push({ due_ms: this.at_ms + ms, resume });
      this.waiting.sort((one, other) => one.due_ms - other.due_ms);
    });

  /** Lets time go on until a promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let is_over = false;
    const over = (): void => void (is_over = true);
    promise.then(over, over);
    for (;;) {
      for (let turn = 0; turn < TURNS && !is_over; turn++) await nextTurn();
      if (is_over) return promise;
      const next = this.waiting.shift();
      if (!next) throw new Error('everything waits, and nothing for time');
      this.at_ms = next.due_ms;
      next.resume();
    }
  }
}
