import { type Command, InvalidArgumentError } from 'commander';

import type { ListPage } from '../../libs/application/list-records.js';
import type { PermissionType } from '../../libs/domain/access-questions/held.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../libs/domain/kernel/permission-types.js';
import { type Blamed, EXIT, Failure, Refused } from './failure.js';
import { Progress } from './output/progress.js';
import { type Terminal, harmless, time } from './output/terminal.js';
import { LARGEST_PAGE, recordsAt } from './records.js';
import type { Question, Source } from './source.js';

export interface Surroundings {
  readonly terminal: Terminal;
  /** Opens the source that the options name: a server, or a data folder. */
  readonly open: (command: Command) => Promise<Source>;
}

/** A subcommand of the program: adds itself. One file below `commands/` and one line in its index. */
export type OpsCommand = (program: Command, surroundings: Surroundings) => void;

/** Options of every command that queries one organization. */
export function askingOptions(command: Command): Command {
  return command
    .requiredOption('--drive <id or name>', 'the organization; by name only without --url')
    .option('--url <url>', 'query a running server; without it the data folder is read')
    .option('--token-file <path>', 'file with the token for --url; else DRIVE_TOKEN is used')
    .option('--settings <file>', 'settings file of the installation, one NAME=value a line')
    .option('--data-dir <path>', 'the data folder (else DATA_DIR, else ./data)')
    .option('--json', 'print the answer as JSON');
}

export interface PageOptions {
  readonly limit: number;
  readonly all?: boolean;
}

/** Options of commands with paged answers. */
export function pageOptions(command: Command, limit = 50): Command {
  return command
    .option('--limit <count>', 'maximum rows', positive, limit)
    .option('--all', 'all rows');
}

/** Runs one query on the source, with progress, and prints the answer. */
export async function asking(
  { terminal, open }: Surroundings,
  command: Command,
  run: (
    source: Source,
    progress: Progress,
  ) => Promise<{ data: unknown; text: () => string | Promise<string> }>,
): Promise<void> {
  const progress = new Progress(terminal);
  try {
    const source = await open(command);
    try {
      const { data, text } = await run(source, progress).catch(async (error: unknown) => {
        throw await explained(error, source, command);
      });
      const { json } = command.opts<{ json?: boolean }>();
      const shown = json ? JSON.stringify(data, null, 2) : harmless(await text());
      progress.end();
      terminal.out(`${shown}\n`);
    } finally {
      await source.close();
    }
  } finally {
    progress.end();
  }
}

/** Runs long work: with progress also without a terminal, and stopped in order by a signal. Prints the result. */
export async function working(
  { terminal }: Surroundings,
  command: Command,
  run: (
    progress: Progress,
    signal: AbortSignal,
  ) => Promise<{ data: unknown; text: () => string; is_bad?: boolean }>,
): Promise<void> {
  const progress = new Progress(terminal, 'lines');
  const signal = terminal.interruptible?.() ?? new AbortController().signal;
  const { json } = command.opts<{ json?: boolean }>();
  try {
    const { data, text, is_bad } = await run(progress, signal);
    progress.end();
    terminal.out(`${json ? JSON.stringify(data, null, 2) : harmless(text())}\n`);
    if (is_bad)
      throw new Failure(
        json
          ? 'A problem was found: the output names it.'
          : 'A problem was found: the lines above that begin with BAD or OMITTED name it.',
        EXIT.refused,
      );
  } finally {
    progress.end();
  }
}

/** Reads a repeatable option. Not a variadic option: that would consume the following arguments. */
export function eachOne(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The option of commands that process all organizations unless some are named. */
export const ONLY_DRIVES = [
  '--drive <id or name>',
  'only this organization; repeatable',
  eachOne,
] as const;

interface Paged {
  readonly page_size: number;
  readonly cursor_down?: string | undefined;
}

/** Follows the pages of a list up to a limit. The answer is its first page with all rows. */
export async function rowsOf<Input extends Paged, Item, Answer extends ListPage<Item>>(
  source: Source,
  progress: Progress,
  question: Question<Input, Answer>,
  input: Omit<Input, keyof Paged>,
  { limit, all }: PageOptions,
): Promise<Answer> {
  const most = all ? Infinity : limit;
  let first: Answer | undefined;
  const items: Item[] = [];
  let cursor_down: string | undefined;
  do {
    const page_size = Math.min(LARGEST_PAGE, most - items.length);
    const page = await source.ask(question, { ...input, page_size, cursor_down } as Input);
    first ??= page;
    items.push(...page.items);
    progress.at(items.length, page.total);
    cursor_down = page.cursor_down ?? undefined;
  } while (cursor_down !== undefined && items.length < most);
  return { ...first, items, cursor: cursor_down ?? null, cursor_down: cursor_down ?? null };
}

const TYPES: ReadonlySet<string> = new Set([...DIRECTORY_TYPES, ...SYSTEM_TYPES]);

/** Reads a permission type, in any case. */
export function permissionType(text: string): PermissionType {
  const type = text.toUpperCase();
  if (TYPES.has(type)) return type as PermissionType;
  throw new InvalidArgumentError(`Unknown permission type: give one of ${[...TYPES].join(', ')}.`);
}

/** Reads a whole number above 0. */
export function positive(text: string): number {
  const read = Number(text);
  if (Number.isSafeInteger(read) && read > 0) return read;
  throw new Failure(`${text} is not a whole number above 0.`, EXIT.usage);
}

/** Options by the first member of a refusal's pointer. */
const OPTION_OF: Readonly<Record<string, string>> = {
  at: 'at',
  at_ms: 'at',
  revision: 'at',
  from: 'from',
  from_ms: 'from',
  from_revision: 'from',
  to: 'to',
  to_ms: 'to',
  to_revision: 'to',
  actor: 'actor',
  allowed_by: 'allowedBy',
  command: 'command',
  grantee_id: 'who',
  permission_type: 'type',
  record_id: 'record',
  resource_id: 'resource',
  types: 'type',
};
const MOST_BOOKMARKS = 20;

/** A refusal in terms of the options that it concerns, with the allowed values; any other error unchanged. */
async function explained(error: unknown, source: Source, command: Command): Promise<unknown> {
  if (!(error instanceof Refused)) return error;
  const given = command.opts<Record<string, unknown>>();
  const sentences: string[] = [];
  for (const detail of error.details) {
    const option = OPTION_OF[detail.pointer.split('/')[1] ?? ''];
    const text = option === undefined ? undefined : textOf(given[option]);
    if (text === undefined) return error;
    const more = detail.reason === 'names no bookmark' ? await bookmarksOf(source) : '';
    sentences.push(`${flagOf(option!)} ${text} ${reasonOf(detail)}${more}.`);
  }
  return sentences.length > 0 ? new Refused(sentences.join('\n'), error.details) : error;
}

function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The given text of an option. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(' ');
  return (value as { text?: string } | undefined)?.text;
}

/** Fields, revisions and times in the form of options. */
function reasonOf({ pointer, reason: of_fields }: Blamed): string {
  const reason = of_fields.replaceAll(/\b[a-z]+_(?:ms|revision)\b/g, (field) =>
    Object.hasOwn(OPTION_OF, field) ? flagOf(OPTION_OF[field]!) : field,
  );
  if (pointer.endsWith('revision')) return reason.replaceAll(/\d+/g, 'r$&');
  const times = reason.replaceAll(/\b\d{12,14}\b/g, (ms) => time(Number(ms)));
  return times === reason ? reason : `${times}; r0 is the first event`;
}

/** The existing bookmarks, if the caller may see them. */
async function bookmarksOf(source: Source): Promise<string> {
  try {
    const { records } = await recordsAt(source, {}, 'bookmarks', MOST_BOOKMARKS);
    const names = records.map(({ name }) => `@${name}`);
    return names.length > 0 ? `; there are ${names.join(', ')}` : '; there are none';
  } catch (error) {
    if (error instanceof Refused) return '';
    throw error;
  }
}
