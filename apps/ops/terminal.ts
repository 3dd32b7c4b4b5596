import Table from 'cli-table3';

/** Where a command writes, and what it knows of its surroundings; specs bring their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True if people watch `err`: progress is shown. */
  readonly is_watched: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A table for people. */
export function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const made = new Table({ head: [...head], style: { head: [], border: [] }, wordWrap: true });
  for (const row of rows) made.push(row.map(cell));
  return made.toString();
}

/** A value in a cell: text as it is, anything else as JSON. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function time(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('.000Z', 'Z');
}

/** Says every second that something is still going on, where people watch. */
export class Progress {
  private readonly started = Date.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private done = 0;
  private total: number | undefined;

  constructor(private readonly terminal: Terminal) {
    if (terminal.is_watched) this.timer = setInterval(() => this.show(), 1000);
  }

  at(done: number, total: number): void {
    this.done = done;
    this.total = total;
  }

  /** Clears the line. */
  end(): void {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.terminal.err('\r\u001b[K');
  }

  private show(): void {
    const seconds = Math.round((Date.now() - this.started) / 1000);
    const so_far = this.total === undefined ? '' : `, ${this.done} of ${this.total}`;
    this.terminal.err(`\r\u001b[Kworking, ${seconds} s${so_far}`);
  }
}
