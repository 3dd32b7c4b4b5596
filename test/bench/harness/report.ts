import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { CLIENT } from './load.js';
import type { Line } from './row.js';

/** Where and how a run was made. */
export interface Circumstances {
  readonly date: string;
  readonly command: string;
  readonly machine: string;
  readonly node: string;
  readonly client: string;
  /** Load averages (1 minute) before and after: other work on the machine. */
  readonly load: readonly [number, number];
}

export function circumstances(command: string, load_before: number): Circumstances {
  const cores = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  const model = cores[0]?.model.trim() ?? '';
  return {
    date: new Date().toISOString().slice(0, 10),
    command,
    machine: `${cores.length} cores${model && model !== 'unknown' ? ` (${model})` : ''}, ${gib} GiB, ${type()} ${release().split('-')[0]}`,
    node: process.version,
    client: CLIENT,
    load: [load_before, loadavg()[0]!],
  };
}

const HEADINGS = ['What', 'Target', 'Measured', 'Beside', 'Met'] as const;

/** The table as Markdown, columns aligned. */
export function table(lines: readonly Line[]): string {
  const cells = [
    [...HEADINGS],
    ...lines.map(({ what, target, measured, reference, holds }) => [
      what,
      target || '–',
      measured,
      reference || '–',
      holds === null ? '–' : holds ? 'yes' : '**no**',
    ]),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const text = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  const [head, ...body] = cells;
  return [text(head!), rule, ...body.map(text)].join('\n');
}

export function page(lines: readonly Line[], about: Circumstances): string {
  return `# Benchmarks

Written by \`${about.command}\` on ${about.date}. Times of this machine say little about others, so
targets are ratios or differences to a bare reference, measured alternately in the same run. Bounds
in milliseconds apply to this machine only.

- Machine: ${about.machine}
- Node: ${about.node}
- Load client: ${about.client}
- Other work on the machine: load average ${about.load.map((load) => load.toFixed(1)).join(' before, ')} after

${table(lines)}
`;
}

/** A number with as many digits as one reads. */
export function show(figure: number): string {
  if (Number.isNaN(figure)) return '–';
  const size = Math.abs(figure);
  if (size >= 1000) return Math.round(figure).toLocaleString('en-US').replaceAll(',', ' ');
  return figure.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
