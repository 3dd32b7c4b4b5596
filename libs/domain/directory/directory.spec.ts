import { event, type DomainEvent } from '../foundation/events.js';
import {
  directoryGrant,
  disk,
  diskMade,
  groupOf,
  ROOT,
  TRASH,
} from '../permissions/testing/grants.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import type { CreateFile, CreateFolder, GetItem } from './commands.js';
import { directoryCommands as commands } from './definitions.js';
import { directoryReads, type FileRead } from './read-item.js';
import { decodeShareHash, encodeShareHash } from './share-track.js';

const BOB = 'UserID_bob';
const DISK = 'DiskID_1';
const place = { parent_folder_uuid: ROOT, disk_id: DISK };

const aFile = (more: Partial<CreateFile> = {}): CreateFile => ({
  ...place,
  name: 'a.txt',
  file_size: 1,
  fresh: {
    id: 'FileID_1',
    version_id: 'FileVersionID_1',
    permission_id: 'DirectoryPermissionID_own',
  },
  ...more,
});
const aFolder = (more: Partial<CreateFolder> = {}): CreateFolder => ({
  ...place,
  name: 'Folder',
  fresh: { id: 'FolderID_1', permission_id: 'DirectoryPermissionID_own' },
  ...more,
});
const second = { id: 'FileID_2', version_id: 'FileVersionID_2', permission_id: 'unused' };
const bobMay = (...permission_types: string[]): DomainEvent =>
  directoryGrant('bob', ROOT, { granted_to: BOB, permission_types });
/** A file as the owner reads it. */
const readFile = (of: SpecDrive, query: Omit<GetItem, 'fresh'>): FileRead => {
  const fresh = { share_track_id: 'ShareTrackID_1' };
  return directoryReads.GetFile(of.context(OWNER), { ...query, fresh }) as FileRead;
};
const drive = (...events: DomainEvent[]) => new SpecDrive().given(disk, ...events);

describe('creating files', () => {
  it('stores the given fields and derives the others', () => {
    const { events, allowed_by } = drive(bobMay('UPLOAD')).when(
      commands.CreateFile,
      BOB,
      aFile({ name: 'a: b.tar.gz', notes: 'n', external_id: 'e' }),
    );
    expect(allowed_by).toEqual(['DirectoryPermissionID_bob']);
    expect(events).toEqual([
      event('FileCreated', {
        file_id: 'FileID_1',
        version_id: 'FileVersionID_1',
        ...place,
        created_by: BOB,
        name: 'a; b.tar.gz',
        extension: 'gz',
        file_size: 1,
        raw_url: '',
        upload_status: 'QUEUED',
        keyed_by_version: true,
        expires_at: -1,
        has_sovereign_permissions: false,
        shortcut_to: null,
        notes: 'n',
        external_id: 'e',
        external_payload: null,
        label_ids: [],
        creator_permission_id: null,
      }),
    ]);
  });

  it('uses the extension of the request only if the name has no dot', () => {
    const extension = (name: string): unknown =>
      drive().when(commands.CreateFile, OWNER, aFile({ name, extension: '.pdf' })).answer!.file
        .extension;
    expect([extension('plain'), extension('a.txt'), extension('a.')]).toEqual(['pdf', 'txt', '']);
  });

  it.each([
    ['an unknown parent', { parent_folder_uuid: 'FolderID_nobody' }, 'folder-not-found'],
    ['another disk', { disk_id: 'DiskID_2' }, 'invalid-field'],
    ['the trash', { parent_folder_uuid: TRASH }, 'in-trash'],
    ['a name with a slash', { name: 'a/b' }, 'invalid-field'],
    ['an extension with a slash', { name: 'a', extension: 'x/y' }, 'invalid-field'],
    ['an extension that a form fills in', { extension: '${filename}' }, 'invalid-field'],
    ['an extension of two parts', { name: 'a', extension: 'tar.gz' }, 'invalid-field'],
    ['an extension of 33 characters', { name: 'a', extension: 'x'.repeat(33) }, 'invalid-field'],
  ])('refuses %s', (_, more, refusal) => {
    expect(drive().when(commands.CreateFile, OWNER, aFile(more)).refusal).toBe(refusal);
  });

  it('refuses callers without UPLOAD, and sovereignty without MANAGE', () => {
    const made = drive(bobMay('VIEW', 'EDIT', 'DELETE'));
    expect(made.when(commands.CreateFile, BOB, aFile()).refusal).toBe('forbidden');
    const sovereign = aFolder({ has_sovereign_permissions: true });
    const uploads = drive(bobMay('UPLOAD'));
    expect(uploads.when(commands.CreateFolder, BOB, sovereign).refusal).toBe('forbidden');
  });

  it('grants access to a sovereign item to its creator', () => {
    const made = drive(bobMay('MANAGE'));
    const sovereign = aFolder({ has_sovereign_permissions: true });
    const { answer } = made.when(commands.CreateFolder, BOB, sovereign);
    expect(answer!.folder.permission_previews).toHaveLength(6);
    const owners = drive();
    owners.when(commands.CreateFolder, OWNER, sovereign);
    expect(owners.state.directory_permissions.size).toBe(0);
  });

  it('ends the grant on a sovereign item with the last MANAGE of its creator on the folder around it', () => {
    const sovereign = aFolder({ has_sovereign_permissions: true });
    const until = (id: string, expiry_date_ms: number): DomainEvent =>
      directoryGrant(id, ROOT, { granted_to: BOB, permission_types: ['MANAGE'], expiry_date_ms });
    const endOf = (...grants: DomainEvent[]): number => {
      const made = drive(...grants);
      made.when(commands.CreateFolder, BOB, sovereign);
      return made.state.directory_permissions.get(sovereign.fresh.permission_id)!.expiry_date_ms;
    };
    expect(endOf(until('soon', T0 + 1000))).toBe(T0 + 1000);
    expect(endOf(until('soon', T0 + 1000), until('late', T0 + 2000))).toBe(T0 + 2000);
    expect(endOf(until('soon', T0 + 1000), until('ever', -1))).toBe(-1);
    // What gives no MANAGE does not count.
    expect(endOf(until('soon', T0 + 1000), bobMay('EDIT'))).toBe(T0 + 1000);
    const in_group = groupOf('GroupID_staff', BOB, T0 + 500);
    const ours = { granted_to: 'GroupID_staff', permission_types: ['MANAGE'] };
    expect(endOf(...in_group, directoryGrant('ours', ROOT, ours))).toBe(T0 + 500);
  });

  it('refuses an id in use or used before, unless it means a new version of that file', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, aFile({ id: 'FileID_x' }));
    const again = made.when(commands.CreateFile, OWNER, aFile({ id: 'FileID_x', fresh: second }));
    expect(again.events[0]!.type).toBe('FileVersionCreated');
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_x', permanent: true });
    const late = made.when(commands.CreateFile, OWNER, aFile({ id: 'FileID_x', fresh: second }));
    expect(late.refusal).toBe('id-in-use');
  });

  it('limits the lifetime of files to that of the disk', () => {
    const made = new SpecDrive().given(diskMade({ autoexpire_ms: 500 }));
    const wanted = aFile({ expires_at: T0 + 99_000 });
    const { answer } = made.when(commands.CreateFile, OWNER, wanted);
    expect(answer!.file.expires_at).toBe(answer!.file.created_at + 500);
  });

  it('pins labels by value and ignores unknown ones', () => {
    const made = drive(
      event('LabelCreated', {
        label_id: 'LabelID_1',
        value: 'urgent',
        public_note: null,
        private_note: null,
        color: '#ABC',
        created_by: OWNER,
        external_id: null,
        external_payload: null,
      }),
    );
    const labels = ['URGENT', 'nobody', 'urgent'];
    const { answer } = made.when(commands.CreateFile, OWNER, aFile({ labels }));
    expect(answer!.file.labels).toEqual(['urgent']);
    const { answer: bare } = made.when(commands.UpdateFile, OWNER, {
      ...{ id: 'FileID_1', labels: [] },
      fresh: second,
    });
    expect(bare!.file.labels).toEqual([]);
  });
});

describe('versions', () => {
  const versioned = () => {
    const made = drive(bobMay('VIEW', 'UPLOAD'));
    made.when(commands.CreateFile, OWNER, aFile({ notes: 'kept' }));
    return made;
  };
  const replace = aFile({ file_size: 9, file_conflict_resolution: 'REPLACE', fresh: second });

  it('keep the file’s id and notes, count up and refer to the previous version', () => {
    const made = versioned();
    const { answer } = made.when(commands.CreateFile, OWNER, replace);
    expect(answer!.file).toMatchObject({
      id: 'FileID_1',
      file_version: 2,
      version_id: 'FileVersionID_2',
      prior_version: 'FileVersionID_1',
      file_size: 9,
      notes: 'kept',
    });
    expect(made.state.file_versions.get('FileVersionID_1')).toMatchObject({
      file_id: 'FileID_1',
      file_version: 1,
      next_version: 'FileVersionID_2',
      file_size: 1,
      created_by: OWNER,
    });
  });

  it('require EDIT on the replaced file; UPLOAD is not enough', () => {
    expect(versioned().when(commands.CreateFile, BOB, replace).refusal).toBe('forbidden');
  });

  it('are deleted with the file', () => {
    const made = versioned();
    made.when(commands.CreateFile, OWNER, replace);
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_1', permanent: true });
    expect([made.state.files.size, made.state.file_versions.size]).toEqual([0, 0]);
  });

  it('are deleted with the disk', () => {
    const made = versioned();
    made.when(commands.CreateFile, OWNER, replace);
    made.given(event('DiskDeleted', { disk_id: DISK }));
    const { files, file_versions, folders, directory_permissions } = made.state;
    const left = [files, file_versions, folders, directory_permissions].map(({ size }) => size);
    expect(left).toEqual([0, 0, 0, 0]);
  });
});

describe('the trash', () => {
  it('restores an item under its old name if it was renamed in the trash', () => {
    const made = drive();
    for (const id of ['FileID_1', 'FileID_2']) {
      made.when(commands.CreateFile, OWNER, aFile({ fresh: { ...second, id } }));
      const { answer } = made.when(commands.DeleteFile, OWNER, { id, permanent: false });
      expect(answer!.path_to_trash).toBe(
        `${DISK}::.trash/${id === 'FileID_1' ? 'a.txt' : 'a (2).txt'}`,
      );
    }
    const restored = { id: 'FileID_2', fresh: { folder_ids: [] } };
    made.when(commands.RestoreTrash, OWNER, restored);
    expect(made.state.files.get('FileID_2')!.name).toBe('a.txt');
  });

  it('names the place in the trash in the clipped form to callers without VIEW on the root', () => {
    const made = drive(bobMay('DELETE'));
    made.when(commands.CreateFolder, OWNER, aFolder());
    const types = { granted_to: BOB, permission_types: ['VIEW'] };
    made.given(directoryGrant('view', 'FolderID_1', types));
    const { answer } = made.when(commands.DeleteFolder, BOB, {
      id: 'FolderID_1',
      permanent: false,
    });
    expect(answer!.path_to_trash).toBe(`${DISK}::../Folder/`);
  });

  it('lets the user who trashed an item restore it to its old place, and nowhere else', () => {
    const made = drive(bobMay('DELETE', 'UPLOAD'));
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.DeleteFile, BOB, { id: 'FileID_1', permanent: false });
    const elsewhere = {
      id: 'FileID_1',
      restore_to_folder_path: `${DISK}::/Else/`,
      fresh: { folder_ids: ['FolderID_else'] },
    };
    expect(made.when(commands.RestoreTrash, BOB, elsewhere).refusal).toBe('forbidden');
    const back = { id: 'FileID_1', fresh: { folder_ids: [] } };
    expect(made.when(commands.RestoreTrash, 'UserID_x', back).refusal).toBe('forbidden');
    const { allowed_by } = made.when(commands.RestoreTrash, BOB, back);
    expect(allowed_by).toEqual(['SELF']);
  });

  it('requires no UPLOAD to restore an item to its old place', () => {
    const made = drive(bobMay('DELETE'));
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.DeleteFile, BOB, { id: 'FileID_1', permanent: false });
    const back = { id: 'FileID_1', fresh: { folder_ids: [] } };
    expect(made.when(commands.RestoreTrash, BOB, back).allowed_by).toEqual(['SELF']);
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_1', permanent: false });
    expect(made.when(commands.RestoreTrash, BOB, back).refusal).toBe('forbidden');
    expect(made.when(commands.RestoreTrash, OWNER, back).allowed_by).toEqual(['OWNER']);
  });

  it('creates the missing folders of a path', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_1', permanent: false });
    const { events } = made.when(commands.RestoreTrash, OWNER, {
      id: 'FileID_1',
      restore_to_folder_path: `${DISK}::/x/y`,
      fresh: { folder_ids: ['FolderID_x', 'FolderID_y'] },
    });
    expect(events.map(({ type }) => type)).toEqual([
      'FolderCreated',
      'FolderCreated',
      'ItemRestored',
    ]);
    expect(readFile(made, { id: 'FileID_1' }).file.full_directory_path).toBe(`${DISK}::/x/y/a.txt`);
  });

  it.each([
    [`${DISK}::.trash/`, 'in-trash'],
    ['DiskID_2::/x/', 'other-disk'],
    ['x', 'invalid-field'],
    [`${DISK}::/a//b/`, 'invalid-field'],
    [`${DISK}::/${'x/'.repeat(65)}`, 'invalid-field'],
  ])('refuses to restore to %.30s', (restore_to_folder_path, refusal) => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_1', permanent: false });
    const command = { id: 'FileID_1', restore_to_folder_path, fresh: { folder_ids: [] } };
    expect(made.when(commands.RestoreTrash, OWNER, command).refusal).toBe(refusal);
  });

  it('tells nobody without rights which folders of a path exist', () => {
    const made = drive();
    made.when(commands.CreateFolder, OWNER, aFolder({ name: 'existing' }));
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.DeleteFile, OWNER, { id: 'FileID_1', permanent: false });
    for (const top of [`${DISK}::/existing/`, `${DISK}::/missing/`, 'DiskID_2::/existing/'])
      for (const below of ['', 'x/'.repeat(64)]) {
        const command = {
          id: 'FileID_1',
          restore_to_folder_path: top + below,
          fresh: { folder_ids: [] },
        };
        expect(made.when(commands.RestoreTrash, BOB, command).refusal).toBe('forbidden');
      }
  });
});

describe('copies and moves', () => {
  it('copy a tree in one event whose size does not depend on the tree', () => {
    const made = drive();
    made.when(commands.CreateFolder, OWNER, aFolder());
    for (let nth = 0; nth < 50; nth++) {
      const fresh = { ...second, id: `FileID_${nth}`, version_id: `FileVersionID_${nth}` };
      const parent_folder_uuid = 'FolderID_1';
      made.when(commands.CreateFile, OWNER, aFile({ parent_folder_uuid, fresh }));
    }
    const { events } = made.when(commands.CopyFolder, OWNER, {
      id: 'FolderID_1',
      destination_folder_id: ROOT,
      fresh: { id: 'FolderID_copy' },
    });
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events).length).toBeLessThan(300);
    expect(made.state.files.count('parent', 'FolderID_copy')).toBe(50);
  });

  it('stay on their disk', () => {
    const made = drive(
      diskMade({
        disk_id: 'DiskID_2',
        root_folder: 'FolderID_root2',
        trash_folder: 'FolderID_trash2',
      }),
    );
    made.when(commands.CreateFile, OWNER, aFile());
    const to = { id: 'FileID_1', destination_folder_id: 'FolderID_root2' };
    expect(made.when(commands.MoveFile, OWNER, to).refusal).toBe('other-disk');
    const copy = { ...to, fresh: { id: 'FileID_c' } };
    expect(made.when(commands.CopyFile, OWNER, copy).refusal).toBe('other-disk');
  });

  it('share the stored object, also after a rename', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, aFile());
    made.when(commands.UpdateFile, OWNER, {
      ...{ id: 'FileID_1', name: 'a.md' },
      fresh: second,
    });
    const fresh = { id: 'FileID_c' };
    const to = { id: 'FileID_1', destination_folder_id: ROOT, fresh };
    made.when(commands.CopyFile, OWNER, to);
    const names = ['FileID_1', 'FileID_c'].map((id) => made.state.files.get(id)!.object_name);
    const uploaded = 'FileID_1/FileVersionID_1.txt';
    expect(names).toEqual([uploaded, uploaded]);
  });
});

describe('a folder with much content', () => {
  it('is renamed, moved, trashed and restored by one small event that touches it alone', () => {
    const made = drive();
    made.when(commands.CreateFolder, OWNER, aFolder());
    const other = { id: 'FolderID_2', permission_id: 'unused' };
    made.when(commands.CreateFolder, OWNER, aFolder({ name: 'Other', fresh: other }));
    for (let nth = 0; nth < 50; nth++) {
      const fresh = { ...second, id: `FileID_${nth}`, version_id: `FileVersionID_${nth}` };
      const parent_folder_uuid = 'FolderID_1';
      made.when(commands.CreateFile, OWNER, aFile({ parent_folder_uuid, fresh }));
    }
    const before = [...made.state.files.values()];
    const id = 'FolderID_1';
    const outcomes = [
      made.when(commands.UpdateFolder, OWNER, { id, name: 'Renamed' }),
      made.when(commands.MoveFolder, OWNER, { id, destination_folder_id: 'FolderID_2' }),
      made.when(commands.DeleteFolder, OWNER, { id, permanent: false }),
      made.when(commands.RestoreTrash, OWNER, { id, fresh: { folder_ids: [] } }),
    ];
    for (const { events } of outcomes) {
      expect(events).toHaveLength(1);
      expect(JSON.stringify(events).length).toBeLessThan(200);
    }
    expect([...made.state.files.values()].every((file, at) => file === before[at])).toBe(true);
    expect(readFile(made, { id: 'FileID_7' }).file.full_directory_path).toBe(
      `${DISK}::/Other/Renamed/a (8).txt`,
    );
  });
});

describe('a user id that is replaced', () => {
  it('is replaced in files, versions and the trash', () => {
    const made = drive(bobMay('VIEW', 'UPLOAD', 'EDIT', 'DELETE'));
    made.when(commands.CreateFile, BOB, aFile());
    const again = aFile({ file_conflict_resolution: 'REPLACE', fresh: second });
    made.when(commands.CreateFile, BOB, again);
    made.when(commands.DeleteFile, BOB, { id: 'FileID_1', permanent: false });
    const swapped = { current_user_id: BOB, new_user_id: 'UserID_new', updated_count: 0 };
    made.given(event('UserSuperswapped', swapped));
    const records = [...made.state.files.values(), ...made.state.file_versions.values()];
    expect(JSON.stringify(records)).not.toContain(BOB);
    expect(made.state.undo_log.referencesTo(BOB)).toBe(0);
  });
});

describe('shares', () => {
  it('refer to the earlier share if they were opened with its hash', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, aFile());
    const origin_hash = encodeShareHash({ id: 'ShareTrackID_0', from_user: BOB });
    const read = (share_track_hash?: string) =>
      readFile(made, {
        id: 'FileID_1',
        ...(share_track_hash !== undefined && { share_track_hash }),
      });
    const { share_track } = read(origin_hash);
    expect(share_track).toMatchObject({
      id: 'ShareTrackID_1',
      origin_id: 'ShareTrackID_0',
      origin_hash,
      from_user: BOB,
      to_user: OWNER,
      resource_id: 'FileID_1',
    });
    expect(decodeShareHash(share_track.hash)).toEqual({ id: 'ShareTrackID_1', from_user: OWNER });
    const { origin_id, origin_hash: _, from_user, ...without_origin } = share_track;
    for (const hash of [undefined, '', '%%%', btoa('7'), btoa('{"id":1}')])
      expect(read(hash).share_track).toEqual(without_origin);
  });
});

describe('the sweep', () => {
  it('can only be run by the service', () => {
    expect(drive().when(commands.SweepExpired, OWNER, { most: 1 }).refusal).toBe('forbidden');
  });

  it('processes the topmost items, at most the given number', () => {
    const made = drive();
    made.when(commands.CreateFolder, OWNER, aFolder({ expires_at: T0 + 50 }));
    const inside = aFile({ parent_folder_uuid: 'FolderID_1', expires_at: T0 + 10 });
    made.when(commands.CreateFile, OWNER, inside);
    made.after(100);
    const { events } = made.when(commands.SweepExpired, { kind: 'system' }, { most: 9 });
    const trashed = [{ item_id: 'FolderID_1', name: 'Folder' }];
    expect(events).toEqual([event('ItemsExpired', { trashed, kept: [] })]);
    // Expired items in it no longer expire once the trash keeps them.
    made.when(commands.SweepExpired, { kind: 'system' }, { most: 9 });
    expect(made.state.files.get('FileID_1')!.expires_at).toBe(-1);
    expect(made.when(commands.SweepExpired, { kind: 'system' }, { most: 9 }).events).toEqual([]);
  });
});
