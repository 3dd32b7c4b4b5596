import Table from 'cli-table3';
import type { OmittedContent } from '../../../libs/engine/transfer/contents.js';

/** Output and environment of a command; specs supply their own. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True if `err` is a terminal: progress is shown. */
  readonly is_watched: boolean;
  /** Where progress bars are drawn. */
  readonly screen?: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From this call on, a signal to the process aborts the command; the abort reason names it. */
  readonly interruptible?: () => AbortSignal;
  /** Prompts for a secret without echo; absent without a terminal. */
  readonly askSecret?: (question: string) => Promise<string>;
}

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

/** A content that was not copied, as a line. */
export function omissionText({ drive_id, content_id, problem }: OmittedContent): string {
  return `OMITTED  ${content_id} of ${drive_id} ${problem}.`;
}

/** Largest time of a `Date`, ms since 1970: in the year 275760. Clients may choose later ones. */
const LATEST_MS = 8.64e15;

export function time(ms: number): string {
  return new Date(Math.min(ms, LATEST_MS)).toISOString().replace('T', ' ').replace('.000Z', 'Z');
}

/**
 * Text for a terminal: control characters from names are replaced, so that they cannot control it. So are direction
 * controls, which reorder the text around them.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]|\p{Bidi_Control}/gu, '\u{FFFD}');
}

/** The same for the middle of a line: line breaks are replaced too. */
export function inLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\u{FFFD}');
}
