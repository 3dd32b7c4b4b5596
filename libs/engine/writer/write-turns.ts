import type { ProcessRole } from '../drives/role.js';
import { setTimeout as after } from 'node:timers/promises';

/** Turns in a row that are left to other processes after one of them was seen to write. */
const TURNS_LEFT = 3;
/** How often others get a turn though none was seen to write, ms: first, and while none uses it. */
const FIRST_UNASKED_MS = 125;
const LONGEST_UNASKED_MS = 500;
/** Longest pause in favor of others, ms. */
const LONGEST_PAUSE_MS = 250;
/** Appends in the time of catching up, where this process never had to: reads take longer than appends. */
const APPENDS_TO_CATCH_UP = 8;
/** Weight of the latest figure in an average. */
const WEIGHT = 0.2;

/** Time that only goes forward, and waiting. */
export interface Timer {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

export const TIMER: Timer = {
  now: () => performance.now(),
  wait: (ms) => after(ms, undefined, { ref: false }),
};

/**
 * Turns of the processes that write to one drive.
 *
 * The process that has just appended holds the drive's newest state, so its next append would be first again; any
 * other one must read what it missed. So a process that has seen others write pauses after its appends, for as long
 * as another one takes to catch up and to append; the pause ends once that one has. Three pauses that nobody used
 * end it. A process that always loses is never seen: every half second without a gap, it gets one pause unasked.
 * That is all that the only writer of a drive pays; a process that is alone on its stores pays nothing.
 *
 * It buys the row "two processes, one organization" of `npm run bench:servers`.
 */
export class WriteTurns {
  private pauses_left = 0;
  /** When this process may append again, and when it ended its last append. */
  private resume_ms = -Infinity;
  private ended_ms = -Infinity;
  /** When the others last had time for a turn, and how long after that they get one unasked. */
  private left_ms = -Infinity;
  private unasked_ms = FIRST_UNASKED_MS;
  /** Averages, ms: an append, and reading what was missed. */
  private append_ms = 1;
  private catch_up_ms = 0;
  private interrupted = Promise.withResolvers<void>();

  constructor(
    private readonly role: Pick<ProcessRole, 'sole'>,
    private readonly timer: Timer,
  ) {}

  /** Others were seen to write: they had their turn, and are to have the next ones. */
  othersWrote(): void {
    this.pauses_left = TURNS_LEFT;
    this.resume_ms = -Infinity;
    this.left_ms = this.timer.now();
    this.unasked_ms = FIRST_UNASKED_MS;
  }

  /** Notes how long an append took that succeeded: the others are next, if there are any. */
  appended(took_ms: number): void {
    if (this.role.sole) return;
    this.append_ms += WEIGHT * (took_ms - this.append_ms);
    const now = this.timer.now();
    const { turn_ms } = this;
    // Where commands come with gaps, others need no pause.
    const begun_ms = now - took_ms;
    if (begun_ms - this.ended_ms >= turn_ms) this.left_ms = begun_ms;
    this.ended_ms = now;
    if (this.pauses_left > 0) this.pauses_left--;
    else if (now - this.left_ms < this.unasked_ms) return;
    else this.unasked_ms = Math.min(2 * this.unasked_ms, LONGEST_UNASKED_MS);
    this.left_ms = now;
    // With jitter, so that processes do not stay in step.
    this.resume_ms = now + Math.min(turn_ms * (1 + Math.random() / 2), LONGEST_PAUSE_MS);
  }

  /** Notes how long it took to read and fold what others appended. */
  caughtUp(took_ms: number): void {
    this.catch_up_ms += WEIGHT * (took_ms - this.catch_up_ms);
  }

  /** True while it is the others' turn. */
  get is_others(): boolean {
    return this.timer.now() < this.resume_ms;
  }

  /** Resolves when it is no longer the others' turn, or at an interruption. */
  async leave(): Promise<void> {
    this.interrupted = Promise.withResolvers();
    await Promise.race([
      this.timer.wait(Math.max(0, this.resume_ms - this.timer.now())),
      this.interrupted.promise,
    ]);
  }

  /** There is something to do that need not wait for the others. */
  interrupt(): void {
    this.interrupted.resolve();
  }

  /** Waits after a conflict, less than an append takes, so that of several losers not all try at one time. */
  async spread(): Promise<void> {
    await this.timer.wait(Math.min(Math.random() * this.append_ms, LONGEST_PAUSE_MS));
  }

  /** What another process takes at most to notice that it lost, to read what it missed, and to append. */
  private get turn_ms(): number {
    const { append_ms } = this;
    return Math.max(this.catch_up_ms, APPENDS_TO_CATCH_UP * append_ms) + 3 * append_ms;
  }
}
