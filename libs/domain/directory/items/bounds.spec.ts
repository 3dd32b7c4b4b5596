import { type DomainEvent, event } from '../../foundation/events.js';
import { diskCommands } from '../../disks/commands.js';
import { labelCommands } from '../../labels/commands.js';
import { directoryGrant, disk, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SPEC_SETTINGS, SpecDrive } from '../../testing/drive.js';
import { pathTo } from '../../access/ancestor-paths.js';
import { countItems } from './count.js';
import { directoryCommands as commands } from '../definitions.js';
import { itemMade } from '../testing/events.js';

const BOB = 'UserID_bob';
const TREE = 'FolderID_tree';
const made = (id: string, parent: string): DomainEvent => itemMade(id, parent, 'DiskID_1', OWNER);

/** A tree of six items, including its root, with this limit per command. */
function tree(items_per_action: number): SpecDrive {
  const drive = new SpecDrive().given(
    disk,
    made(TREE, ROOT),
    made('FolderID_sub', TREE),
    made('FileID_1', TREE),
    made('FileID_2', 'FolderID_sub'),
    made('FileID_3', 'FolderID_sub'),
    made('FolderID_empty', 'FolderID_sub'),
  );
  drive.settings = { ...SPEC_SETTINGS, items_per_action };
  return drive;
}

const copy = { id: TREE, destination_folder_id: ROOT, fresh: { id: 'FolderID_copy' } };

describe('files and folders that one command may affect', () => {
  const taking = {
    copy: (drive: SpecDrive) => drive.when(commands.CopyFolder, OWNER, copy),
    trash: (drive: SpecDrive) =>
      drive.when(commands.DeleteFolder, OWNER, { id: TREE, permanent: false }),
    removal: (drive: SpecDrive) =>
      drive.when(commands.DeleteFolder, OWNER, { id: TREE, permanent: true }),
    restore(drive: SpecDrive) {
      drive.given(event('ItemTrashed', { item_id: TREE, name: 'tree', trashed_by: OWNER }));
      return drive.when(commands.RestoreTrash, OWNER, { id: TREE, fresh: { folder_ids: [] } });
    },
  };

  it.each(Object.entries(taking))('are as many as may be for a %s, and no more', (_, take) => {
    expect(take(tree(6)).refusal).toBeNull();
    const drive = tree(5);
    const before = drive.state.record_count;
    expect(take(drive).refusal).toBe('too-many-items');
    expect(drive.state.record_count).toBe(before);
  });

  it('have at most as many labels in a copy', () => {
    const labelled = (most: number): SpecDrive => {
      const drive = tree(most);
      for (const value of ['one', 'two', 'three', 'four'])
        drive.when(labelCommands.CreateLabel, OWNER, {
          value,
          fresh: { label_id: `LabelID_${value}` },
        });
      const labels = ['one', 'two', 'three', 'four'];
      for (const id of ['FileID_1', 'FileID_3'])
        expect(
          drive.when(commands.UpdateFile, OWNER, { id, labels, fresh: { version_id: id } }).refusal,
        ).toBeNull();
      return drive;
    };
    expect(taking.copy(labelled(8)).refusal).toBeNull();
    expect(taking.copy(labelled(7)).refusal).toBe('too-many-items');
  });

  it.each(['copy', 'move', 'restore'])('are as many in an item that a %s replaces', (how) => {
    const replaced = (most: number): string | null => {
      const drive = tree(most).given(
        made('FolderID_to', ROOT),
        made('FolderID_in', 'FolderID_to'),
        event('FolderUpdated', { folder_id: 'FolderID_in', updated_by: OWNER, name: 'tree' }),
        event('FolderUpdated', { folder_id: TREE, updated_by: OWNER, name: 'tree' }),
      );
      const policy = { file_conflict_resolution: 'REPLACE' } as const;
      const to = { id: 'FolderID_in', destination_folder_id: ROOT, ...policy };
      if (how === 'copy')
        return drive.when(commands.CopyFolder, OWNER, { ...to, fresh: copy.fresh }).refusal;
      if (how === 'move') return drive.when(commands.MoveFolder, OWNER, to).refusal;
      drive.given(event('ItemTrashed', { item_id: 'FolderID_in', name: 'x', trashed_by: OWNER }));
      const restored = {
        id: 'FolderID_in',
        restore_to_folder_path: pathTo(drive.state, ROOT).path,
        ...policy,
      };
      return drive.when(commands.RestoreTrash, OWNER, { ...restored, fresh: { folder_ids: [] } })
        .refusal;
    };
    expect(replaced(6)).toBeNull();
    expect(replaced(5)).toBe('too-many-items');
  });

  it('are refused above the limit, without revealing their number', () => {
    const drive = tree(3);
    const decided = commands.CopyFolder.decide(drive.context(OWNER), copy);
    expect(decided).toMatchObject({
      refusal: 'too-many-items',
      details: [
        { pointer: '/id', limit: 3, reason: expect.stringMatching(/at least 4 .*most 3$/) },
      ],
    });
  });

  it('are not mentioned to callers who may not copy', () => {
    const drive = tree(3).given(
      directoryGrant('bob', TREE, { granted_to: BOB, permission_types: ['VIEW'] }),
    );
    expect(drive.when(commands.CopyFolder, BOB, copy).refusal).toBe('forbidden');
  });

  it('are counted only up to the limit', () => {
    const { state } = tree(1);
    const counted = countItems(state, { id: TREE }, 2);
    expect(counted).toBe(3);
    expect(countItems(state, { id: TREE }, 99)).toBe(6);
    expect(countItems(state, { id: 'FileID_1' }, 99)).toBe(1);
  });

  it('also bound the deletion of disks and labels', () => {
    const { DeleteDisk } = diskCommands;
    // Including its root and its trash.
    expect(tree(7).when(DeleteDisk, OWNER, { id: 'DiskID_1' }).refusal).toBe('too-many-items');
    expect(tree(8).when(DeleteDisk, OWNER, { id: 'DiskID_1' }).refusal).toBeNull();
    const labelled = (most: number) =>
      tree(most).given(
        event('LabelCreated', {
          ...{ label_id: 'LabelID_1', value: 'v', color: '#ABC', created_by: OWNER },
          ...{ public_note: null, private_note: null, external_id: null, external_payload: null },
        }),
        event('LabelPinned', { label_id: 'LabelID_1', resource_id: 'FileID_1' }),
        event('LabelPinned', { label_id: 'LabelID_1', resource_id: 'FileID_2' }),
      );
    const { DeleteLabel } = labelCommands;
    expect(labelled(1).when(DeleteLabel, OWNER, { id: 'LabelID_1' }).refusal).toBe(
      'too-many-items',
    );
    expect(labelled(2).when(DeleteLabel, OWNER, { id: 'LabelID_1' }).refusal).toBeNull();
  });

  it('do not bound moves and renames, which change one record', () => {
    const drive = tree(1).given(made('FolderID_to', ROOT));
    const to = { id: TREE, destination_folder_id: 'FolderID_to' };
    expect(drive.when(commands.MoveFolder, OWNER, to).refusal).toBeNull();
    const renamed = { id: TREE, name: 'renamed' };
    expect(drive.when(commands.UpdateFolder, OWNER, renamed).refusal).toBeNull();
  });
});

describe('a copy into itself', () => {
  it.each([TREE, 'FolderID_sub', 'FolderID_empty'])('is refused, here into %s', (to) => {
    const into = { ...copy, destination_folder_id: to };
    expect(tree(99).when(commands.CopyFolder, OWNER, into).refusal).toBe('into-itself');
  });

  it('in an older stream can still be folded', () => {
    const drive = tree(99).given(
      event('ItemCopied', {
        ...{ source_id: TREE, copy_id: 'FolderID_copy', parent_folder_uuid: 'FolderID_sub' },
        ...{ name: 'copy', created_by: OWNER, files_expire_at: null, left_out: [] },
      }),
    );
    expect(countItems(drive.state, { id: TREE }, 99)).toBe(12);
    expect(countItems(drive.state, { id: 'FolderID_copy' }, 99)).toBe(6);
  });
});
