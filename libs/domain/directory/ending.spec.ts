import type { DomainEvent } from '../foundation/events.js';
import { directoryGrant, disk, diskMade, ROOT, TRASH } from '../permissions/testing/grants.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { directoryCommands as commands } from './definitions.js';
import { itemMade } from './testing/events.js';

const BOB = 'UserID_bob';
const FILE = 'FileID_1';
const FOLDER = 'FolderID_1';
const made = (id: string, parent = ROOT): DomainEvent => itemMade(id, parent, 'DiskID_1', OWNER);
const may = (...permission_types: string[]): DomainEvent =>
  directoryGrant('bob', ROOT, { granted_to: BOB, permission_types });
const EDITOR = may('VIEW', 'UPLOAD', 'EDIT');
const DELETER = may('VIEW', 'UPLOAD', 'EDIT', 'DELETE');
const fresh = {
  id: 'FileID_fresh',
  version_id: 'FileVersionID_fresh',
  permission_id: 'DirectoryPermissionID_fresh',
};
const LATE = T0 + 10_000;

/** A file and a folder with this expiry; -1 for never. */
function drive(rights: DomainEvent, expires_at = -1, on: DomainEvent = disk): SpecDrive {
  const made_of = new SpecDrive().given(on, made(FILE), made(FOLDER));
  const change = { expires_at, fresh };
  if (expires_at > 0) {
    made_of.when(commands.UpdateFile, OWNER, { id: FILE, ...change });
    made_of.when(commands.UpdateFolder, OWNER, { id: FOLDER, ...change });
  }
  return made_of.given(rights);
}

const over = (expires_at: number) => ({
  ...{ name: FILE, parent_folder_uuid: ROOT, disk_id: 'DiskID_1', file_size: 1 },
  ...{ expires_at, fresh },
});

/** All commands that change an item's expiry. */
const WAYS = {
  UPDATE_FILE: (on: SpecDrive, expires_at: number) =>
    on.when(commands.UpdateFile, BOB, { id: FILE, expires_at, fresh }),
  UPDATE_FOLDER: (on: SpecDrive, expires_at: number) =>
    on.when(commands.UpdateFolder, BOB, { id: FOLDER, expires_at }),
  'CREATE_FILE with its id': (on: SpecDrive, expires_at: number) =>
    on.when(commands.CreateFile, BOB, { ...over(expires_at), id: FILE }),
  'CREATE_FILE with REPLACE': (on: SpecDrive, expires_at: number) =>
    on.when(commands.CreateFile, BOB, {
      ...over(expires_at),
      file_conflict_resolution: 'REPLACE',
    }),
  'CREATE_FILE with KEEP_NEWER': (on: SpecDrive, expires_at: number) =>
    on.when(commands.CreateFile, BOB, {
      ...over(expires_at),
      file_conflict_resolution: 'KEEP_NEWER',
    }),
};

describe.each(Object.entries(WAYS))('an end given by %s', (_, end) => {
  it.each([
    ['is set', -1, LATE],
    ['comes sooner', LATE, LATE - 1],
    ['is past', -1, 1],
    ['is past where there was one', LATE, 1],
    ['is now', LATE, T0 + 6],
  ])('requires DELETE if it %s', (__, before, after) => {
    const edits = drive(EDITOR, before);
    const { revision } = edits.state;
    expect(end(edits, after).refusal).toBe('forbidden');
    expect(edits.state.revision).toBe(revision);
    const { refusal, allowed_by } = end(drive(DELETER, before), after);
    expect([refusal, allowed_by]).toEqual([null, ['DirectoryPermissionID_bob']]);
  });

  it.each([
    ['comes later', LATE, LATE + 1],
    ['is taken away', LATE, -1],
    ['stays', LATE, LATE],
  ])('requires only EDIT if it %s', (__, before, after) => {
    expect(end(drive(EDITOR, before), after).refusal).toBeNull();
    expect(end(drive(may('VIEW', 'UPLOAD', 'DELETE'), before), after).refusal).toBe('forbidden');
  });
});

describe('an earlier expiry by a new folder', () => {
  const ending = (rights: DomainEvent) => {
    const on = drive(rights).given(made('FolderID_ending'));
    on.when(commands.UpdateFolder, OWNER, { id: 'FolderID_ending', expires_at: LATE });
    return on;
  };
  const to = { destination_folder_id: 'FolderID_ending' };

  it('requires DELETE for a move', () => {
    expect(ending(EDITOR).when(commands.MoveFile, BOB, { id: FILE, ...to }).refusal).toBe(
      'forbidden',
    );
    expect(ending(EDITOR).when(commands.MoveFolder, BOB, { id: FOLDER, ...to }).refusal).toBe(
      'forbidden',
    );
    const moved = ending(DELETER).when(commands.MoveFile, BOB, { id: FILE, ...to });
    expect([moved.refusal, moved.allowed_by]).toEqual([null, ['DirectoryPermissionID_bob']]);
  });

  it('requires nothing more if the item expires no later, or leaves that folder', () => {
    const on = ending(EDITOR);
    on.when(commands.UpdateFile, OWNER, { id: FILE, expires_at: LATE, fresh });
    expect(on.when(commands.MoveFile, BOB, { id: FILE, ...to }).refusal).toBeNull();
    const back = { id: FILE, destination_folder_id: ROOT };
    expect(on.when(commands.MoveFile, BOB, back).refusal).toBeNull();
  });

  it('requires DELETE for a restore', () => {
    const on = ending(may('UPLOAD')).given(
      directoryGrant('own', FILE, { granted_to: BOB, permission_types: ['VIEW', 'EDIT'] }),
    );
    on.when(commands.DeleteFile, OWNER, { id: FILE, permanent: false });
    const restore = {
      ...{ id: FILE, restore_to_folder_path: 'DiskID_1::/FolderID_ending/' },
      fresh: { folder_ids: [] },
    };
    expect(on.when(commands.RestoreTrash, BOB, restore).refusal).toBe('forbidden');
    on.given(directoryGrant('del', FILE, { granted_to: BOB, permission_types: ['DELETE'] }));
    expect(on.when(commands.RestoreTrash, BOB, restore).refusal).toBeNull();
  });

  it('requires nothing for a copy, which belongs to the caller', () => {
    const copy = { id: FILE, ...to, fresh: { id: 'FileID_copy' } };
    expect(ending(EDITOR).when(commands.CopyFile, BOB, copy).refusal).toBeNull();
  });
});

describe('a disk with a file lifetime', () => {
  const short = diskMade({ autoexpire_ms: 500 });

  it.each([
    ['never ends', -1, -1],
    ['ends later', LATE, LATE],
    ['ends sooner', T0 + 100, T0 + 506],
  ])('has a new version end no sooner than a file that %s', (_, before, after) => {
    const on = drive(EDITOR, before, short);
    on.now = T0 + 6;
    const { refusal } = WAYS['CREATE_FILE with its id'](on, T0 + 50);
    expect([refusal, on.state.files.get(FILE)!.expires_at]).toEqual([null, after]);
  });
});

it('the time of trashing is recorded, and removed by a restore', () => {
  const on = drive(DELETER);
  on.now = T0 + 77;
  on.when(commands.DeleteFile, BOB, { id: FILE, permanent: false });
  expect(on.state.files.get(FILE)).toMatchObject({
    parent_folder_uuid: TRASH,
    trashed_at: T0 + 77,
  });
  on.when(commands.RestoreTrash, BOB, { id: FILE, fresh: { folder_ids: [] } });
  expect(on.state.files.get(FILE)).not.toHaveProperty('trashed_at');
});
