import type { ProcessRole } from '../drives/role.js';
import { setTimeout as after } from 'node:timers/promises';

/** Consecutive turns left to other processes after one of them was seen to write. */
const TURNS_LEFT = 3;
/**
 * Interval of turns offered to others although none was seen to write, ms: the first one, and while they are not
 * used.
 */
const FIRST_UNASKED_MS = 125;
const LONGEST_UNASKED_MS = 500;
/** Maximum pause in favor of others, ms. */
const LONGEST_PAUSE_MS = 250;
/** Assumed ratio of catching up to an append, before it was measured: reads take longer than appends. */
const APPENDS_TO_CATCH_UP = 8;
/** Weight of the latest figure in an average. */
const WEIGHT = 0.2;

/** Monotonic time, and waiting. */
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
 * The process that has just appended holds the drive's newest state, so its next append would win again; all others
 * must first read its events. A process that has seen others write therefore pauses after its appends, for as long as
 * another one needs to catch up and append; the pause ends once that one has. After three unused pauses it stops
 * pausing. A process that always loses is never seen to write, so after an eighth of a second without a gap, and later
 * after every half second, one pause is offered unasked. This is the only cost for a single writer of a drive; a process alone on its stores pays nothing.
 *
 * It improves the row "two processes, one organization" of `npm run bench:servers`.
 */
export class WriteTurns {
  private pauses_left = 0;
  /** When this process may append again, and when its last append ended. */
  private resume_ms = -Infinity;
  private ended_ms = -Infinity;
  /** When the others last had time for a turn, and after which interval the next one is offered. */
  private left_ms = -Infinity;
  private unasked_ms = FIRST_UNASKED_MS;
  /** Averages, ms: an append, and catching up. */
  private append_ms = 1;
  private catch_up_ms = 0;
  private interrupted = Promise.withResolvers<void>();

  constructor(
    private readonly role: Pick<ProcessRole, 'sole'>,
    private readonly timer: Timer,
  ) {}

  /** Other processes were seen to write: they had their turn, and get the next ones. */
  othersWrote(): void {
    this.pauses_left = TURNS_LEFT;
    this.resume_ms = -Infinity;
    this.left_ms = this.timer.now();
    this.unasked_ms = FIRST_UNASKED_MS;
  }

  /** Records the duration of a successful append: it is the others' turn, if there are any. */
  appended(took_ms: number): void {
    if (this.role.sole) return;
    this.append_ms += WEIGHT * (took_ms - this.append_ms);
    const now = this.timer.now();
    const { turn_ms } = this;
    // If commands arrive with gaps, others need no pause.
    const begun_ms = now - took_ms;
    if (begun_ms - this.ended_ms >= turn_ms) this.left_ms = begun_ms;
    this.ended_ms = now;
    if (this.pauses_left > 0) this.pauses_left--;
    else if (now - this.left_ms < this.unasked_ms) return;
    else this.unasked_ms = Math.min(2 * this.unasked_ms, LONGEST_UNASKED_MS);
    this.left_ms = now;
    // With jitter, to desynchronize the processes.
    this.resume_ms = now + Math.min(turn_ms * (1 + Math.random() / 2), LONGEST_PAUSE_MS);
  }

  /** Records the duration of reading and folding foreign events. */
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

  /** Ends the pause: there is work that does not need the others' turn. */
  interrupt(): void {
    this.interrupted.resolve();
  }

  /** Waits briefly after a conflict, less than an append, so that several losers do not retry simultaneously. */
  async spread(): Promise<void> {
    await this.timer.wait(Math.min(Math.random() * this.append_ms, LONGEST_PAUSE_MS));
  }

  /** Time that another process needs at most to notice its loss, catch up and append. */
  private get turn_ms(): number {
    const { append_ms } = this;
    return Math.max(this.catch_up_ms, APPENDS_TO_CATCH_UP * append_ms) + 3 * append_ms;
  }
}
