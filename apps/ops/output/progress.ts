import cliProgress from 'cli-progress';
import type { Terminal } from './terminal.js';

/** Interval of progress lines without a terminal, ms. */
const LINE_EVERY_MS = 5000;
const FORMAT = '{what} {bar} {percentage}% | {value} of {total} | {rate}/s{left}';

/**
 * Progress: bars with rate and remaining time on a terminal. Otherwise long work prints a line every few seconds and
 * at the end of every phase, short work nothing.
 */
export class Progress {
  private bar: cliProgress.SingleBar | null = null;
  private waiting: NodeJS.Timeout | undefined;
  private what = '';
  private began_ms = performance.now();
  private said_ms = performance.now();
  private last: { done: number; total: number } | null = null;

  constructor(
    private readonly terminal: Terminal,
    private readonly lines: 'lines' | 'quiet' = 'quiet',
  ) {
    const { is_watched, err } = terminal;
    const seconds = (): number => Math.round((performance.now() - this.began_ms) / 1000);
    if (is_watched)
      this.waiting = setInterval(() => err(`\r\u001b[Kworking, ${seconds()} s`), 1000);
  }

  /** @param what names the phase; a new one begins a new bar */
  at(done: number, total: number, what = 'working'): void {
    if (what !== this.what) this.begin(what);
    this.last = { done, total };
    if (this.bar) {
      this.bar.setTotal(total);
      this.bar.update(done, { what, rate: this.rate(done), left: this.left(done, total) });
    } else if (this.lines === 'lines' && performance.now() - this.said_ms > LINE_EVERY_MS)
      this.say();
  }

  /** Clears the line, or prints the end of the last phase. */
  end(): void {
    if (this.waiting) {
      clearInterval(this.waiting);
      this.waiting = undefined;
      this.terminal.err('\r\u001b[K');
    }
    if (this.bar) this.bar.stop();
    else if (this.lines === 'lines' && this.last && this.is_long) this.say();
    this.bar = this.last = null;
    this.what = '';
  }

  private begin(what: string): void {
    this.end();
    this.what = what;
    this.began_ms = this.said_ms = performance.now();
    const { is_watched, screen } = this.terminal;
    if (!is_watched || !screen) return;
    this.bar = new cliProgress.SingleBar({
      ...{ format: FORMAT, stream: screen, clearOnComplete: false },
      // A signal ends a quiet command at once, which would leave the cursor hidden.
      hideCursor: this.lines === 'lines',
      barsize: 30,
    });
    this.bar.start(1, 0, { what, rate: 0, left: '' });
  }

  /** Skip phases too short to show. */
  private get is_long(): boolean {
    return performance.now() - this.began_ms > LINE_EVERY_MS;
  }

  private say(): void {
    const { done, total } = this.last!;
    const left = this.left(done, total);
    this.terminal.err(`${this.what}: ${done} of ${total}, ${this.rate(done)}/s${left}\n`);
    this.said_ms = performance.now();
  }

  /** The remaining time, if it is known. */
  private left(done: number, total: number): string {
    const rate = this.rate(done);
    if (rate === 0 || done >= total) return '';
    const seconds = Math.ceil((total - done) / rate);
    return seconds < 120 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`;
  }

  /** Per second. */
  private rate(done: number): number {
    const seconds = (performance.now() - this.began_ms) / 1000;
    return seconds > 0 ? Math.round(done / seconds) : 0;
  }
}
