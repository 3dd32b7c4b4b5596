import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The repository's root. */
export const REPOSITORY = resolve(import.meta.dirname, '../..');

export const read = (path: string): string => readFileSync(resolve(REPOSITORY, path), 'utf8');

/** A fenced block of a Markdown text. */
export interface Fence {
  readonly language: string;
  readonly text: string;
}

/** What stands under a heading (`## …`), up to the next heading of the same rank. */
export function section(markdown: string, heading: string): string {
  const start = markdown.indexOf(`${heading}\n`);
  if (start < 0) throw new Error(`no heading "${heading}"`);
  const rank = heading.slice(0, heading.indexOf(' ') + 1);
  const end = markdown.indexOf(`\n${rank}`, start);
  return markdown.slice(start, end < 0 ? undefined : end);
}

export function fences(markdown: string): Fence[] {
  return [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}

/** Rows of the first table, without its head: cells without padding and code marks. */
export function tableRows(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}
