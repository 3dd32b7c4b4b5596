import type { Command } from 'commander';
import { type Blamed, Refused } from './failure.js';
import { recordsAt } from './records.js';
import type { Source } from './source.js';
import { time } from './output/terminal.js';

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
export async function explained(
  error: unknown,
  source: Source,
  command: Command,
): Promise<unknown> {
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

/** Revisions and times in the form of options. */
function reasonOf({ pointer, reason }: Blamed): string {
  if (pointer.endsWith('revision')) return reason.replaceAll(/\d+/g, 'r$&');
  const times = reason.replaceAll(/\b\d{12,14}\b/g, (ms) => time(Number(ms)));
  return times === reason ? reason : `${times}; r0 is the first event`;
}

/** The existing bookmarks, if the caller may see them. */
async function bookmarksOf(source: Source): Promise<string> {
  try {
    const { records } = await recordsAt(source, {}, ['bookmarks'], MOST_BOOKMARKS);
    const names = records.map(({ name }) => `@${name}`);
    return names.length > 0 ? `; there are ${names.join(', ')}` : '; there are none';
  } catch (error) {
    if (error instanceof Refused) return '';
    throw error;
  }
}
