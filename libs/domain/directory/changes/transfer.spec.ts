import { jest } from '@jest/globals';
import { Visits } from '../../foundation/decision.js';
import { event, type DomainEvent } from '../../foundation/events.js';
import { directoryGrant, disk, folder, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { directoryCommands as commands } from '../definitions.js';

const BOB = 'UserID_bob';
const DROP = 'FolderID_drop';

const item = (name: string, parent_folder_uuid: string) => ({
  name,
  parent_folder_uuid,
  disk_id: 'DiskID_1',
  created_by: OWNER,
  expires_at: -1,
  has_sovereign_permissions: false,
  shortcut_to: null,
  notes: 'what nobody else may read',
  external_id: null,
  external_payload: null,
  label_ids: [],
  creator_permission_id: null,
});
const file = (id: string, parent_folder_uuid: string): DomainEvent =>
  event('FileCreated', {
    ...item('a.txt', parent_folder_uuid),
    file_id: `FileID_${id}`,
    version_id: `FileVersionID_${id}`,
    extension: 'txt',
    file_size: 1,
    raw_url: 'https://content.example/a.txt',
    upload_status: 'COMPLETED',
  });

/** Bob may see and move his own file. He may put items into the folder beside it, but not see its content. */
const drive = () =>
  new SpecDrive().given(
    disk,
    event('FolderCreated', {
      ...item('Drop', ROOT),
      folder_id: DROP,
      has_sovereign_permissions: true,
    }),
    file('bobs', ROOT),
    file('hidden', DROP),
    directoryGrant('take', ROOT, { granted_to: BOB, permission_types: ['VIEW', 'EDIT'] }),
    directoryGrant('put', DROP, { granted_to: BOB, permission_types: ['UPLOAD'] }),
  );
const seen = directoryGrant('see', DROP, { granted_to: BOB, permission_types: ['VIEW'] });

describe('an existing item of the same name that is replaced', () => {
  const DELETING = directoryGrant('delete', DROP, {
    granted_to: BOB,
    permission_types: ['DELETE'],
  });
  const EDITING = directoryGrant('edit', DROP, { granted_to: BOB, permission_types: ['EDIT'] });
  const replacing = { file_conflict_resolution: 'REPLACE' } as const;
  const to = { id: 'FileID_bobs', destination_folder_id: DROP, ...replacing };
  const fresh = {
    id: 'FileID_fresh',
    version_id: 'FileVersionID_fresh',
    permission_id: 'DirectoryPermissionID_fresh',
  };
  const ids = (...names: string[]) => names.map((name) => `DirectoryPermissionID_${name}`);

  it('is so by all grants that were needed, each of which is evidence', () => {
    const deleting = () => drive().given(seen, DELETING);
    const copied = deleting().when(commands.CopyFile, BOB, { ...to, fresh: { id: 'FileID_copy' } });
    expect(copied.allowed_by.toSorted()).toEqual(ids('delete', 'put', 'take'));
    const moved = deleting().when(commands.MoveFile, BOB, to);
    expect(moved.allowed_by.toSorted()).toEqual(ids('delete', 'put', 'take'));
    const made = drive()
      .given(seen, EDITING)
      .when(commands.CreateFile, BOB, {
        ...{ name: 'a.txt', parent_folder_uuid: DROP, disk_id: 'DiskID_1', file_size: 1, fresh },
        ...replacing,
      });
    expect([made.refusal, made.allowed_by.toSorted()]).toEqual([null, ids('edit', 'put')]);
  });
});

describe('an existing item of the same name that is kept', () => {
  const to = { id: 'FileID_bobs', destination_folder_id: DROP };
  const copy = { ...to, fresh: { id: 'FileID_copy' } };

  it.each(['KEEP_ORIGINAL', 'KEEP_NEWER'] as const)(
    'is answered to a copy under %s only if the caller may VIEW it',
    (file_conflict_resolution) => {
      const command = { ...copy, file_conflict_resolution };
      expect(drive().when(commands.CopyFile, BOB, command).refusal).toBe('forbidden');
      const { answer, events } = drive().given(seen).when(commands.CopyFile, BOB, command);
      expect(answer).toMatchObject({ id: 'FileID_hidden' });
      expect(events).toEqual([]);
    },
  );

  it('is answered to a move only if the caller may VIEW it; the item itself always', () => {
    const newer = { ...to, file_conflict_resolution: 'KEEP_NEWER' as const };
    expect(drive().when(commands.MoveFile, BOB, newer).refusal).toBe('forbidden');
    const { answer } = drive().given(seen).when(commands.MoveFile, BOB, newer);
    expect(answer).toMatchObject({ id: 'FileID_hidden' });
    const original = { ...to, file_conflict_resolution: 'KEEP_ORIGINAL' as const };
    const unmoved = drive().when(commands.MoveFile, BOB, original);
    expect(unmoved.answer).toMatchObject({ id: 'FileID_bobs', parent_folder_uuid: ROOT });
  });
});

describe('a transfer without a destination', () => {
  it('is refused as malformed before the item is looked up', () => {
    const nowhere = { id: 'FileID_nobody' };
    const astray = { ...nowhere, destination_folder_path: 'astray' };
    for (const command of [nowhere, astray]) {
      expect(drive().when(commands.MoveFile, BOB, command).refusal).toBe('invalid-field');
      const copied = { ...command, fresh: { id: 'FileID_copy' } };
      expect(drive().when(commands.CopyFile, BOB, copied).refusal).toBe('invalid-field');
    }
    const restored = { id: 'FileID_nobody', restore_to_folder_path: 'astray' };
    const restore = { ...restored, fresh: { folder_ids: [] } };
    expect(drive().when(commands.RestoreTrash, BOB, restore).refusal).toBe('invalid-field');
  });
});

describe('a rename to an invalid name', () => {
  it('is refused as malformed before item and permissions are checked', () => {
    const named = { name: 'a/b' };
    const fresh = { version_id: 'FileVersionID_unused' };
    const wrong = [
      drive().when(commands.UpdateFile, BOB, { id: 'FileID_nobody', ...named, fresh }),
      drive().when(commands.UpdateFile, BOB, { id: 'FileID_hidden', ...named, fresh }),
      drive().when(commands.UpdateFolder, BOB, { id: 'FolderID_nobody', ...named }),
    ];
    for (const { refusal } of wrong) expect(refusal).toBe('invalid-field');
  });
});

describe('a copy of nested folders', () => {
  /** How many folders are looked up when Bob copies that many, each in the one before. */
  function lookedUp(depth: number): number {
    const nested = new SpecDrive().given(
      disk,
      directoryGrant('all', ROOT, { granted_to: BOB, permission_types: ['VIEW', 'UPLOAD'] }),
    );
    folder(nested, 'FolderID_to', ROOT);
    folder(nested, 'FolderID_0', ROOT);
    for (let at = 1; at < depth; at++) {
      folder(nested, `FolderID_${at}`, `FolderID_${at - 1}`);
      nested.given(
        directoryGrant(`${at}`, `FolderID_${at}`, { granted_to: BOB, permission_types: ['EDIT'] }),
      );
    }
    const get = jest.spyOn(nested.state.folders, 'get');
    const copied = nested.when(commands.CopyFolder, BOB, {
      ...{ id: 'FolderID_0', destination_folder_id: 'FolderID_to', fresh: { id: 'FolderID_copy' } },
    });
    const { length } = get.mock.calls;
    get.mockRestore();
    expect(copied.refusal).toBeNull();
    return length;
  }

  it('takes a number of steps in proportion to its folders', () => {
    expect(lookedUp(200)).toBeLessThan(lookedUp(100) * 2.5);
  });
});

describe('the labels of a copied folder', () => {
  /** Four files, each with a label, in a folder of the same name as one at the destination. */
  function labelled(items_per_action: number) {
    const tree = new SpecDrive().given(disk);
    tree.settings = { ...tree.settings, items_per_action };
    folder(tree, 'FolderID_to', ROOT);
    folder(tree, 'FolderID_same', ROOT);
    folder(tree, 'FolderID_there', 'FolderID_to');
    for (const folder_id of ['FolderID_same', 'FolderID_there'])
      tree.given(event('FolderUpdated', { folder_id, updated_by: OWNER, name: 'Same' }));
    for (const id of ['1', '2', '3', '4']) {
      tree.given(
        event('LabelCreated', {
          ...{ label_id: `LabelID_${id}`, value: `label-${id}`, color: '#000000' },
          ...{ created_by: OWNER, public_note: '', private_note: '' },
          ...{ external_id: null, external_payload: null },
        }),
        file(id, 'FolderID_same'),
      );
      for (const label of ['1', '2'])
        tree.given(
          event('LabelPinned', { label_id: `LabelID_${label}`, resource_id: `FileID_${id}` }),
        );
    }
    return tree;
  }
  function copy(items_per_action: number, file_conflict_resolution: 'KEEP_BOTH' | 'KEEP_ORIGINAL') {
    const tree = labelled(items_per_action);
    const visits = new Visits();
    const decided = commands.CopyFolder.decide(
      { ...tree.context(OWNER), visits },
      {
        ...{ id: 'FolderID_same', destination_folder_id: 'FolderID_to' },
        ...{ file_conflict_resolution, fresh: { id: 'FolderID_copy' } },
      },
    );
    return { refusal: 'refusal' in decided ? decided.refusal : null, visits: visits.count };
  }

  it('are counted by visiting its items, which count as visited even if it is refused', () => {
    expect(copy(8, 'KEEP_BOTH')).toEqual({ refusal: null, visits: 7 });
    expect(copy(7, 'KEEP_BOTH')).toEqual({ refusal: 'too-many-items', visits: 7 });
  });

  it('are not counted if nothing is copied', () => {
    expect(copy(7, 'KEEP_ORIGINAL')).toEqual({ refusal: null, visits: 0 });
    // Nor are the items themselves.
    expect(copy(4, 'KEEP_ORIGINAL')).toEqual({ refusal: null, visits: 0 });
  });
});
