import { WEBHOOK_EVENTS, type WebhookEvent } from '../record.js';
import { watchedBy } from './targets.js';

/** The contract's table: the values of `alt_index` that each event accepts, besides `ALL`. */
const TAKEN: readonly (readonly [event: RegExp, ...texts: string[]])[] = [
  [/^file\./, 'FileID_1', 'ALL_FILES'],
  [/^folder\./, 'FolderID_1', 'ALL_FOLDERS'],
  [/^subfile\./, 'FileID_1', 'FolderID_1', 'ALL_FILES'],
  [/^subfolder\./, 'FolderID_1', 'ALL_FOLDERS'],
  [/^group\.invite\./, 'GroupID_1'],
  [/^drive\.restore_trash$/, 'FileID_1', 'FolderID_1', 'ALL_FILES', 'ALL_FOLDERS', 'RESTORE_TRASH'],
  [/^drive\.state_diffs$/, 'STATE_DIFFS'],
  [/^label\./, 'LabelID_1'],
  [/^org\.superswap_user$/, 'SUPERSWAP_USER'],
];
const TEXTS = [
  ...['FileID_1', 'FolderID_1', 'GroupID_1', 'LabelID_1', 'UserID_1', 'FileID_', 'FileID_ü'],
  ...['ALL_FILES', 'ALL_FOLDERS', 'RESTORE_TRASH', 'STATE_DIFFS', 'SUPERSWAP_USER'],
  ...['INBOX_NEW_MAIL', 'orders', 'all', 'TABLE_LABELS'],
];
const ALL: Readonly<Record<string, string>> = {
  file: 'ALL_FILES',
  subfile: 'ALL_FILES',
  folder: 'ALL_FOLDERS',
  subfolder: 'ALL_FOLDERS',
  'drive.restore_trash': 'RESTORE_TRASH',
};

/** The stored form, or the message about the invalid field. */
const watched = (kind: WebhookEvent, text: string): string => {
  const found = watchedBy(kind, text);
  if (typeof found === 'string') return found;
  return `${found.refusal}: ${found.details.map(({ pointer, reason }) => `${pointer} ${reason}`).join()}`;
};

describe('the resources an event may be watched on', () => {
  it.each(WEBHOOK_EVENTS.filter((kind) => kind !== 'org.inbox.new_mail'))(
    '%s: what can fire, and nothing else',
    (kind) => {
      const [, ...taken] = TAKEN.find(([pattern]) => pattern.test(kind))!;
      const words = taken.map((one) => (one.endsWith('_1') ? `an id ${one.slice(0, -1)}…` : one));
      const refused = `invalid-field: /alt_index must be ${words.join(' or ')} for ${kind}`;
      for (const text of TEXTS)
        expect([text, watched(kind, text)]).toEqual([text, taken.includes(text) ? text : refused]);
    },
  );

  it.each(WEBHOOK_EVENTS)('%s on ALL', (kind) => {
    // For the inbox it is a normal topic.
    const topic = kind === 'org.inbox.new_mail' ? 'ALL' : undefined;
    const expected = ALL[kind] ?? ALL[kind.split('.')[0]!] ?? topic;
    const refused = 'invalid-field:';
    expect(watched(kind, 'ALL').split(' ')[0]).toBe(expected ?? refused);
  });

  it('any topic of the inbox', () => {
    for (const text of TEXTS) expect(watched('org.inbox.new_mail', text)).toBe(text);
  });
});
