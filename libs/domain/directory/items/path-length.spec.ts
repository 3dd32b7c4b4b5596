import { event, type DomainEvent } from '../../foundation/events.js';
import { Visits } from '../../foundation/decision.js';
import { pathTo } from '../../access/ancestor-paths.js';
import { disk, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { isInTrash } from '../../relations/directory-tree.js';
import { directoryCommands as commands } from '../definitions.js';
import { itemMade } from '../testing/events.js';
import { MOST_PATH_CHARACTERS, MOST_PATH_FOLDERS } from './path-length.js';

const made = (id: string, parent: string): DomainEvent => itemMade(id, parent, 'DiskID_1', OWNER);
const renamed = (folder_id: string, name: string): DomainEvent =>
  event('FolderUpdated', { folder_id, updated_by: OWNER, name });

/** Folders `FolderID_{prefix}0`, …, each in the one before, so that the last one's path ends after this many characters. */
function chain(drive: SpecDrive, prefix: string, end: number): { top: string; last: string } {
  let last = ROOT;
  for (let nth = 0; ; nth++) {
    const left = end - pathTo(drive.state, last).path.length;
    if (left === 0) return { top: `FolderID_${prefix}0`, last };
    const id = `FolderID_${prefix}${nth}`;
    const name = prefix.repeat(Math.min(256, left - 1 - (left === 258 ? 1 : 0)));
    drive.given(made(id, last), renamed(id, name));
    last = id;
  }
}

const create = (drive: SpecDrive, parent_folder_uuid: string, name: string) =>
  drive.when(commands.CreateFolder, OWNER, {
    parent_folder_uuid,
    disk_id: 'DiskID_1',
    name,
    fresh: { id: `FolderID_new_${name.length}`, permission_id: 'DirectoryPermissionID_new' },
  });

/** A drive, with a folder whose path has ten characters less than the maximum. */
function nearlyFull() {
  const drive = new SpecDrive().given(disk);
  return { drive, ...chain(drive, 'a', MOST_PATH_CHARACTERS - 10) };
}

const TOO_LONG = 'path-too-long';

describe('the full path of a folder', () => {
  it('has at most the maximum of characters when a folder is created', () => {
    const { drive, last } = nearlyFull();
    expect(create(drive, last, 'x'.repeat(10)).refusal).toBe(TOO_LONG);
    const { answer } = create(drive, last, 'x'.repeat(9));
    const { full_directory_path } = answer!.folder;
    expect(full_directory_path).toHaveLength(MOST_PATH_CHARACTERS);
  });

  it('counts the number that KEEP_BOTH appends', () => {
    const { drive, last } = nearlyFull();
    create(drive, last, 'x'.repeat(9));
    expect(create(drive, last, 'x'.repeat(9)).refusal).toBe(TOO_LONG);
  });

  it('has at most a number of folders', () => {
    const drive = new SpecDrive().given(disk);
    let last = ROOT;
    for (let nth = 2; nth < MOST_PATH_FOLDERS; nth++) {
      drive.given(made(`FolderID_${nth}`, last), renamed(`FolderID_${nth}`, 'a'));
      last = `FolderID_${nth}`;
    }
    drive.given(made('FolderID_t', ROOT), made('FolderID_u', 'FolderID_t'));
    const move = { id: 'FolderID_t', destination_folder_id: last };
    expect(drive.when(commands.MoveFolder, OWNER, move).refusal).toBe(TOO_LONG);
    expect(create(drive, last, 'b').refusal).toBeNull();
    expect(create(drive, 'FolderID_new_1', 'cc').refusal).toBe(TOO_LONG);
  });

  it('does not limit the names of files in it', () => {
    const { drive, last } = nearlyFull();
    create(drive, last, 'x'.repeat(9));
    const file = { parent_folder_uuid: 'FolderID_new_9', disk_id: 'DiskID_1', file_size: 1 };
    const fresh = {
      id: 'FileID_new',
      version_id: 'FileVersionID_new',
      permission_id: 'DirectoryPermissionID_new',
    };
    const name = `${'f'.repeat(252)}.txt`;
    const outcome = drive.when(commands.CreateFile, OWNER, { ...file, name, extension: '', fresh });
    expect(outcome.refusal).toBeNull();
  });

  it('also counts for folders below one that is renamed', () => {
    const { drive, top, last } = nearlyFull();
    const rename = (name: string) =>
      drive.when(commands.UpdateFolder, OWNER, { id: top, name }).refusal;
    // 250 characters less, so 260 remain; the new folder takes 241 of them.
    drive.given(renamed(top, 'a'.repeat(6)));
    create(drive, last, 'x'.repeat(240));
    expect(rename('b'.repeat(26))).toBe(TOO_LONG);
    expect(rename('b'.repeat(25))).toBeNull();
  });

  describe.each(['move', 'copy', 'restore'] as const)('on %s', (by) => {
    const arrive = (drive: SpecDrive, id: string, to: string) => {
      if (by === 'restore') {
        const trashed = event('ItemTrashed', { item_id: id, name: 't', trashed_by: OWNER });
        if (!isInTrash(drive.state, drive.state.folders.get(id)!)) drive.given(trashed);
        const path = pathTo(drive.state, to).path;
        return drive.when(commands.RestoreTrash, OWNER, {
          id,
          restore_to_folder_path: path,
          fresh: { folder_ids: [] },
        });
      }
      const command = { id, destination_folder_id: to };
      return by === 'move'
        ? drive.when(commands.MoveFolder, OWNER, command)
        : drive.when(commands.CopyFolder, OWNER, { ...command, fresh: { id: 'FolderID_copy' } });
    };
    /** A folder `t` with a subfolder whose name has this many characters. */
    const tree = (drive: SpecDrive, name: string) =>
      drive
        .given(
          made('FolderID_t', ROOT),
          renamed('FolderID_t', 't'),
          made('FolderID_u', 'FolderID_t'),
        )
        .given(renamed('FolderID_u', name));

    it('counts for the deepest folder as well', () => {
      const { drive, last } = nearlyFull();
      tree(drive, 'u'.repeat(8));
      const before = drive.state.record_count;
      expect(arrive(drive, 'FolderID_t', last).refusal).toBe(TOO_LONG);
      expect(drive.state.record_count).toBe(before);
      drive.given(renamed('FolderID_u', 'u'.repeat(7)));
      expect(arrive(drive, 'FolderID_t', last).refusal).toBeNull();
    });
  });

  it('counts for folders that a restore makes on the way', () => {
    const { drive, last } = nearlyFull();
    drive.given(
      made('FileID_f', ROOT),
      event('ItemTrashed', { item_id: 'FileID_f', name: 'f', trashed_by: OWNER }),
    );
    const path = pathTo(drive.state, last).path;
    const restore = (below: string) =>
      drive.when(commands.RestoreTrash, OWNER, {
        id: 'FileID_f',
        restore_to_folder_path: path + below,
        fresh: { folder_ids: ['FolderID_w1', 'FolderID_w2'] },
      }).refusal;
    expect(restore('wwwww/wwww')).toBe(TOO_LONG);
    expect(restore('wwwww/www')).toBeNull();
  });

  it('is refused at the item that is restored where the command names no path', () => {
    const { drive, top, last } = nearlyFull();
    drive.given(
      renamed(top, 'a'),
      made('FolderID_t', last),
      renamed('FolderID_t', 't'.repeat(20)),
      event('ItemTrashed', { item_id: 'FolderID_t', name: 't'.repeat(20), trashed_by: OWNER }),
      renamed(top, 'a'.repeat(256)),
    );
    const restore = (path: object) =>
      commands.RestoreTrash.decide(drive.context(OWNER), {
        ...{ id: 'FolderID_t', fresh: { folder_ids: [] } },
        ...path,
      });
    const to = { restore_to_folder_path: pathTo(drive.state, last).path };
    const refusals = [restore({}), restore(to)];
    expect(refusals).toMatchObject(
      ['/id', '/restore_to_folder_path'].map((pointer) => ({
        ...{ refusal: TOO_LONG, details: [{ pointer }] },
      })),
    );
  });

  it('may stay too long, as in data of earlier versions, if it does not become longer', () => {
    const drive = new SpecDrive().given(disk);
    const { top } = chain(drive, 'a', MOST_PATH_CHARACTERS + 500);
    const rename = (name: string) =>
      drive.when(commands.UpdateFolder, OWNER, { id: top, name }).refusal;
    expect(rename('b'.repeat(256))).toBeNull();
    expect(rename('b'.repeat(255))).toBeNull();
    expect(rename('b'.repeat(256))).toBe(TOO_LONG);
  });
});

describe('the subfolders whose paths become longer', () => {
  it('count as visited, also if the command is refused', () => {
    const { drive, last } = nearlyFull();
    drive.given(
      made('FolderID_t', ROOT),
      made('FolderID_1', 'FolderID_t'),
      made('FolderID_2', 'FolderID_1'),
      made('FileID_3', 'FolderID_1'),
      made('FolderID_into', ROOT),
    );
    const visitedBy = (name: string, destination_folder_id: string) => {
      const visits = new Visits();
      const context = { ...drive.context(OWNER), visits };
      commands.MoveFolder.decide(context, { id: name, destination_folder_id });
      return visits.count;
    };
    expect(visitedBy('FolderID_t', 'FolderID_into')).toBe(3);
    expect(visitedBy('FolderID_t', last)).toBeGreaterThan(0);
    expect(visitedBy('FolderID_2', ROOT)).toBe(0);
  });
});
