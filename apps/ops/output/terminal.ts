import Table from 'cli-table3';

/** Where a command writes, and what it knows of its surroundings; specs bring their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True if people watch `err`: progress is shown. */
  readonly is_watched: boolean;
  /** Where bars are drawn when people watch. */
  readonly screen?: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From now on a signal to the process ends the command in order: its reason says so. */
  readonly interruptible?: () => AbortSignal;
  /** Asks people for a secret that is not shown while they type; absent where nobody could answer. */
  readonly askSecret?: (question: string) => Promise<string>;
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

/** Text for a terminal: what others wrote in names must not steer it, so control characters are replaced. */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{FFFD}');
}

/** The same for the middle of a line: nor may a name look like a line of its own. */
export function inLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}
