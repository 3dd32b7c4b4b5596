import { PREFIX } from '../../kernel/ids.js';
import { type Refusal, refuseField } from '../../kernel/refusal.js';
import { WATCHES, type WebhookEvent } from '../record.js';

/** Allowed values of `alt_index` for some events. */
interface Targets {
  /** Prefixes of ids. */
  readonly prefixes: readonly string[];
  readonly words: readonly string[];
  /** The value of `ALL`. */
  readonly all?: string;
  /** Any other text is a topic. */
  readonly takes_topics?: true;
}

const { all_files, all_folders, restore_trash, state_diffs, superswap, inbox } = WATCHES;

const FILES: Targets = { prefixes: [PREFIX.file], words: [all_files], all: all_files };
const FOLDERS: Targets = { prefixes: [PREFIX.folder], words: [all_folders], all: all_folders };
const BELOW = { prefixes: [PREFIX.file, PREFIX.folder] };

/** By prefix of the event's name: the indexes of its occurrences. */
const TARGETS: readonly (readonly [begins: string, targets: Targets])[] = [
  ['file.', FILES],
  ['folder.', FOLDERS],
  ['subfile.', { ...FILES, ...BELOW }],
  ['subfolder.', FOLDERS],
  ['group.invite.', { prefixes: [PREFIX.group], words: [] }],
  [
    'drive.restore_trash',
    { ...BELOW, words: [all_files, all_folders, restore_trash], all: restore_trash },
  ],
  ['drive.state_diffs', { prefixes: [], words: [state_diffs] }],
  ['label.', { prefixes: [PREFIX.label], words: [] }],
  ['org.superswap_user', { prefixes: [], words: [superswap] }],
  ['org.inbox.new_mail', { prefixes: [], words: [inbox], takes_topics: true }],
];

/** The watched resource of a webhook on that event, in stored form; refused if the event can never fire. */
export function watchedBy(event: WebhookEvent, alt_index: string): string | Refusal {
  const [, targets] = TARGETS.find(([begins]) => event.startsWith(begins))!;
  const { prefixes, words, all, takes_topics } = targets;
  if (takes_topics || words.includes(alt_index) || isIdOf(alt_index, prefixes)) return alt_index;
  if (all !== undefined && alt_index === 'ALL') return all;
  const taken = [...prefixes.map((prefix) => `an id ${prefix}…`), ...words];
  return refuseField('/alt_index', `must be ${taken.join(' or ')} for ${event}`);
}

function isIdOf(text: string, prefixes: readonly string[]): boolean {
  return prefixes.some(
    (prefix) => text.startsWith(prefix) && /^[A-Za-z0-9_-]{1,128}$/.test(text.slice(prefix.length)),
  );
}
