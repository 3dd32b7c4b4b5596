import { event, type DomainEvent } from '../../foundation/events.js';
import type { ShareTracking } from '../../directory/share-track.js';
import { disk, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { lookOccurrences } from './items.js';
import { listenersOf, type Match, watchEvent, watchNotices } from './matching.js';
import type { Payload } from './occurrences.js';
import type { WebhookEvent } from '../record.js';
import { watching } from '../testing/events.js';

const FILE = 'FileID_1';
const NOTHING = {
  expires_at: -1,
  shortcut_to: null,
  notes: null,
  external_id: null,
  external_payload: null,
};
const MADE = {
  ...NOTHING,
  disk_id: 'DiskID_1',
  created_by: OWNER,
  label_ids: [],
  creator_permission_id: null,
};

const folder = (folder_id: string, parent_folder_uuid: string, sovereign = false) =>
  event('FolderCreated', {
    ...MADE,
    folder_id,
    parent_folder_uuid,
    name: folder_id,
    has_sovereign_permissions: sovereign,
  });
const file = (file_id: string, parent_folder_uuid: string) =>
  event('FileCreated', {
    ...MADE,
    file_id,
    parent_folder_uuid,
    name: `${file_id}.txt`,
    has_sovereign_permissions: false,
    version_id: `FileVersionID_${file_id}`,
    extension: 'txt',
    file_size: 1,
    raw_url: '',
    upload_status: 'COMPLETED',
  });

/** A disk with A/B/file, and C beside A. */
const tree = () =>
  new SpecDrive().given(
    disk,
    folder('FolderID_a', ROOT),
    folder('FolderID_b', 'FolderID_a'),
    folder('FolderID_c', ROOT),
    file(FILE, 'FolderID_b'),
  );

/** The matches of an event. */
function matchesOf(drive: SpecDrive, fact: DomainEvent): readonly Match[] {
  const context = { ...drive.context({ kind: 'system' }), masked: true };
  const after = watchEvent(context, fact, listenersOf(drive.state));
  drive.given(fact);
  return after({});
}

/** A webhook for the event on each of these resources; its id is that of the resource. */
const on = (drive: SpecDrive, kind: WebhookEvent, ...indexes: string[]): SpecDrive =>
  drive.given(...indexes.map((index) => watching(index, index, { event: kind })));

const names = (matches: readonly Match[]): string[] => matches.map(({ webhook }) => webhook.id);
const nameOf = (payload: Payload | undefined): string | undefined => {
  if (!payload) return undefined;
  if ('file' in payload) return `${payload.type} ${payload.file.name}`;
  return 'folder' in payload ? `${payload.type} ${payload.folder.name}` : payload.type;
};
const shown = (matches: readonly Match[]) =>
  matches.map(({ occurrence }) => [nameOf(occurrence.before), nameOf(occurrence.after)]);

const renamed = event('FileUpdated', { file_id: FILE, updated_by: OWNER, name: 'new.txt' });
const version = event('FileVersionCreated', {
  file_id: FILE,
  version_id: 'FileVersionID_2',
  updated_by: OWNER,
  extension: 'txt',
  file_size: 2,
  raw_url: '',
  upload_status: 'COMPLETED',
});
const contentStored = event('FileContentStored', {
  ...{ file_id: FILE, version_id: 'FileVersionID_2', stored_by: OWNER },
  ...{ content_id: 'ContentID_2', sha256: 'ab', size: 2, media_type: 'text/plain' },
});
const bRenamed = event('FolderUpdated', { folder_id: 'FolderID_b', updated_by: OWNER, name: 'bb' });
const moved = (item_id: string, parent_folder_uuid = 'FolderID_c') =>
  event('ItemMoved', { item_id, parent_folder_uuid, name: 'moved' });
const copied = (source_id: string, copy_id: string) =>
  event('ItemCopied', {
    source_id,
    copy_id,
    parent_folder_uuid: 'FolderID_c',
    name: 'copy',
    created_by: OWNER,
    files_expire_at: null,
    left_out: [],
  });
const trashed = (item_id: string) =>
  event('ItemTrashed', { item_id, name: 'trashed', trashed_by: OWNER });
const gone = (...item_ids: string[]) => event('ItemsDeleted', { item_ids });
const restored = event('ItemRestored', {
  item_id: FILE,
  parent_folder_uuid: 'FolderID_c',
  name: 'back.txt',
});

const ORIGINAL = `${FILE}.txt`;
const FILE_2 = 'FileID_2';
const FOLDER_2 = 'FolderID_2';

describe('webhooks on files and folders receive', () => {
  it.each<[WebhookEvent, DomainEvent, string, string | undefined, string | undefined]>([
    ['file.created', file(FILE_2, 'FolderID_b'), FILE_2, undefined, `${FILE_2}.txt`],
    ['file.created', copied(FILE, FILE_2), FILE_2, ORIGINAL, 'copy'],
    ['file.created', moved(FILE), FILE, ORIGINAL, 'moved'],
    ['file.updated', renamed, FILE, ORIGINAL, 'new.txt'],
    ['file.updated', version, FILE, ORIGINAL, ORIGINAL],
    ['file.updated', contentStored, FILE, ORIGINAL, ORIGINAL],
    ['file.deleted', trashed(FILE), FILE, ORIGINAL, undefined],
    ['file.deleted', gone(FILE), FILE, ORIGINAL, undefined],
    ['file.deleted', moved(FILE), FILE, ORIGINAL, undefined],
    ['folder.created', folder(FOLDER_2, 'FolderID_b'), FOLDER_2, undefined, FOLDER_2],
    ['folder.created', copied('FolderID_b', FOLDER_2), FOLDER_2, 'FolderID_b', 'copy'],
    ['folder.created', moved('FolderID_b'), 'FolderID_b', 'FolderID_b', 'moved'],
    ['folder.updated', bRenamed, 'FolderID_b', 'FolderID_b', 'bb'],
    ['folder.deleted', trashed('FolderID_b'), 'FolderID_b', 'FolderID_b', undefined],
    ['folder.deleted', gone('FolderID_b'), 'FolderID_b', 'FolderID_b', undefined],
    ['folder.deleted', moved('FolderID_b'), 'FolderID_b', 'FolderID_b', undefined],
  ])('%s: %p', (kind, fact, item_id, before, after) => {
    const [family] = kind.split('.') as ['file' | 'folder'];
    const all = family === 'file' ? 'ALL_FILES' : 'ALL_FOLDERS';
    const other = family === 'file' ? 'ALL_FOLDERS' : 'ALL_FILES';
    const matches = matchesOf(on(tree(), kind, item_id, all, other, 'FolderID_a', ROOT), fact);
    expect(names(matches)).toEqual([item_id, all]);
    const side = (type: string, name: string | undefined) => name && `${type} ${name}`;
    const sides = (type: string) => [side(type, before), side(type, after)];
    expect(shown(matches)).toEqual([sides(family), sides(family)]);

    const sub = `sub${kind}` as WebhookEvent;
    const above =
      kind.endsWith('created') && fact.type !== 'FileCreated' && fact.type !== 'FolderCreated'
        ? ['FolderID_c']
        : family === 'folder' && !fact.type.endsWith('Created')
          ? ['FolderID_a']
          : ['FolderID_b', 'FolderID_a'];
    const watchers = ['FolderID_c', 'FolderID_b', 'FolderID_a', ROOT, all, item_id];
    const below = matchesOf(on(tree(), sub, ...new Set(watchers)), fact);
    expect(names(below)).toEqual([item_id, all, ...above]);
    for (const pair of shown(below)) expect(pair).toEqual(sides(`sub${family}`));
  });

  it('a restoration if they watch the item, all items of its kind, or the trash', () => {
    const drive = tree().given(trashed(FILE));
    on(drive, 'drive.restore_trash', FILE, 'ALL_FILES', 'ALL_FOLDERS', 'RESTORE_TRASH');
    const matches = matchesOf(drive, restored);
    expect(names(matches)).toEqual([FILE, 'ALL_FILES', 'RESTORE_TRASH']);
    for (const pair of shown(matches)) expect(pair).toEqual(['file trashed', 'file back.txt']);
    expect(matches[0]!.occurrence.before).toMatchObject({ file: { deleted: true } });
    expect(matches[0]!.occurrence.after).toMatchObject({ file: { deleted: false } });
  });

  it('pins and unpins that an item update stores, if they watch the label', () => {
    const label = (label_id: string, value: string) =>
      event('LabelCreated', {
        ...{ label_id, value, public_note: null, private_note: null, color: '#ABC' },
        ...{ created_by: OWNER, external_id: null, external_payload: null },
      });
    const drive = tree().given(label('LabelID_a', 'a'), label('LabelID_b', 'b'));
    drive.given(
      watching('added', 'LabelID_b', { event: 'label.added' }),
      watching('removed', 'LabelID_a', { event: 'label.removed' }),
    );
    const relabelled = (label_ids: readonly string[]) =>
      matchesOf(drive, event('FileUpdated', { file_id: FILE, updated_by: OWNER, label_ids }));
    const pins = (matches: readonly Match[]) => matches.map(({ occurrence: { after } }) => after);
    const label_match = (
      label_id: string,
      label_value: string,
      add: boolean,
      resource_id = FILE,
    ) => ({
      type: 'label',
      ...{ resource_id, label_id, label_value, add },
    });

    expect(pins(relabelled(['LabelID_a']))).toEqual([]);
    expect(pins(relabelled(['LabelID_b']))).toEqual([
      label_match('LabelID_a', 'a', false),
      label_match('LabelID_b', 'b', true),
    ]);
    expect(pins(relabelled(['LabelID_b']))).toEqual([]);
    expect(pins(matchesOf(drive, renamed))).toEqual([]);
    // Kept labels are neither lost nor gained.
    expect(pins(relabelled(['LabelID_a', 'LabelID_b']))).toEqual([]);
    expect(pins(relabelled(['LabelID_a']))).toEqual([]);

    const on_folder = event('FolderUpdated', {
      ...{ folder_id: 'FolderID_b', updated_by: OWNER },
      label_ids: ['LabelID_a', 'LabelID_b'],
    });
    expect(pins(matchesOf(drive, on_folder))).toEqual([
      label_match('LabelID_b', 'b', true, 'FolderID_b'),
    ]);
    const made = event('FolderCreated', {
      ...MADE,
      ...{ folder_id: 'FolderID_new', parent_folder_uuid: ROOT, name: 'new' },
      ...{ has_sovereign_permissions: false, label_ids: ['LabelID_b'] },
    });
    expect(pins(matchesOf(drive, made))).toEqual([
      label_match('LabelID_b', 'b', true, 'FolderID_new'),
    ]);
  });

  it('one occurrence for each of several items, with distinct numbers', () => {
    const drive = on(tree().given(file(FILE_2, 'FolderID_c')), 'file.deleted', 'ALL_FILES');
    const matches = matchesOf(drive, gone(FILE, FILE_2));
    expect(matches.map(({ nth }) => nth)).toEqual([0, 1]);
    expect(shown(matches).map(([before]) => before)).toEqual([
      `file ${ORIGINAL}`,
      `file ${FILE_2}.txt`,
    ]);
  });

  it('nothing from below a sovereign folder, on it or above it', () => {
    const drive = tree().given(
      folder('FolderID_s', 'FolderID_b', true),
      folder('FolderID_t', 'FolderID_s'),
    );
    on(drive, 'subfile.created', 'FolderID_t', 'FolderID_s', 'FolderID_b', 'FolderID_a');
    expect(names(matchesOf(drive, file(FILE_2, 'FolderID_t')))).toEqual(['FolderID_t']);
  });

  it('nothing about a sovereign item, on the folders above it', () => {
    const drive = on(tree(), 'subfolder.created', 'FolderID_s', 'FolderID_b', 'ALL_FOLDERS');
    const matches = matchesOf(drive, folder('FolderID_s', 'FolderID_b', true));
    expect(names(matches)).toEqual(['FolderID_s', 'ALL_FOLDERS']);
  });

  it('events of items at most twenty folders below', () => {
    const drive = new SpecDrive().given(disk);
    const chain = Array.from({ length: 22 }, (_, depth) => `FolderID_${depth}`);
    for (const [depth, id] of chain.entries())
      drive.given(folder(id, depth === 0 ? ROOT : chain[depth - 1]!));
    on(drive, 'subfile.created', ...chain);
    const near = chain.slice(2).toReversed();
    expect(names(matchesOf(drive, file(FILE_2, 'FolderID_21')))).toEqual(near);
  });

  it('no data that depends on the viewer: paths are clipped, and permissions omitted', () => {
    const [match] = matchesOf(on(tree(), 'file.updated', FILE), renamed);
    expect(match!.occurrence.after).toMatchObject({
      file: { full_directory_path: 'DiskID_1::../new.txt', permission_previews: [] },
    });
  });

  it('a view, with the share that led to it', () => {
    const drive = tree();
    const share = { id: 'ShareTrackID_1', hash: 'h' } as ShareTracking;
    // Without webhooks on it or above it, nothing is prepared.
    drive.given(watching('elsewhere', FILE_2, { event: 'file.viewed' }));
    expect(lookOccurrences(drive.context({ kind: 'system' }), FILE, share)).toEqual([]);
    for (const kind of ['file.viewed', 'file.shared', 'subfile.viewed', 'subfile.shared'] as const)
      drive.given(watching(kind, kind.startsWith('sub') ? 'FolderID_a' : FILE, { event: kind }));
    const context = drive.context({ kind: 'system' });
    const matches = watchNotices(
      context,
      lookOccurrences(context, FILE, share),
      listenersOf(drive.state),
    );
    expect(matches.map((match) => [match.webhook.id, ...shown([match])[0]!])).toEqual([
      ['file.viewed', `file ${ORIGINAL}`, `file ${ORIGINAL}`],
      ['subfile.viewed', `subfile ${ORIGINAL}`, `subfile ${ORIGINAL}`],
      ['file.shared', undefined, 'share_tracking'],
      ['subfile.shared', undefined, 'share_tracking'],
    ]);
    expect(lookOccurrences(context, 'FileID_none', share)).toEqual([]);
  });
});
