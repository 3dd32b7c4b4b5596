import fc from 'fast-check';
import { Access } from '../../access/access.js';
import { isExpired } from '../../access/resources.js';
import type { Visibility } from '../../foundation/reading.js';
import type { RecordBase } from '../../kernel/record.js';
import { directoryGrant, disk, folder, ROOT, TRASH } from '../../permissions/testing/grants.js';
import type { Item } from '../../relations/directory-tree.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { itemMade } from '../testing/events.js';
import { takeTreeStep, treeStep, USER } from '../testing/tree-steps.js';
import { searchableFiles, searchableFolders } from './searchable.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 600);

describe('the scope of searches', () => {
  it.each([OWNER, USER, 'UserID_stranger'])(
    'has all that %s may view outside the trash after any change',
    (who) => {
      fc.assert(
        fc.property(fc.array(treeStep, { maxLength: 40 }), (steps) => {
          const drive = new SpecDrive().given(disk);
          steps.forEach((one, at) => {
            takeTreeStep(drive, one, at);
            const context = drive.context(who);
            const access = Access.of(context);
            const { files, folders } = drive.state;
            const isMeant = (item: RecordBase): boolean => {
              for (let id: string | null = item.id; id !== null;) {
                const around: Item = folders.get(id) ?? files.get(id)!;
                if (id === TRASH || isExpired(around, drive.now)) return false;
                id = around.parent_folder_uuid;
              }
              return item.id !== ROOT && access.canDirectory('VIEW', item.id);
            };
            const meant = (items: Iterable<RecordBase>) => [...items].filter(isMeant);
            expect(shown(files.values(), searchableFiles(context))).toEqual(meant(files.values()));
            expect(shown(folders.values(), searchableFolders(context))).toEqual(
              meant(folders.values()),
            );
          });
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('has a file with a grant of its own wherever it moves', () => {
    const drive = new SpecDrive().given(disk, itemMade('FileID_0', ROOT, 'DiskID_1', OWNER));
    folder(drive, 'FolderID_0', ROOT);
    drive.given(directoryGrant('0', 'FileID_0', { granted_to: USER, permission_types: ['VIEW'] }));
    const { files } = drive.state;
    const seen = () => shown(files.values(), searchableFiles(drive.context(USER))).length;
    expect(seen()).toBe(1);
    files.put({ ...files.get('FileID_0')!, parent_folder_uuid: 'FolderID_0' });
    expect(seen()).toBe(1);
  });

  it('has nothing in a new folder that blocks inheritance', () => {
    const drive = new SpecDrive().given(disk);
    drive.given(directoryGrant('0', ROOT, { granted_to: USER, permission_types: ['VIEW'] }));
    const { files, folders } = drive.state;
    const seen = () => {
      const context = drive.context(USER);
      const shown_folders = shown(folders.values(), searchableFolders(context));
      return [shown_folders.length, shown(files.values(), searchableFiles(context)).length];
    };
    expect(seen()).toEqual([0, 0]);
    folder(drive, 'FolderID_0', ROOT);
    expect(seen()).toEqual([1, 0]);
    folder(drive, 'FolderID_1', ROOT, { has_sovereign_permissions: true });
    drive.given(itemMade('FileID_0', 'FolderID_0', 'DiskID_1', OWNER));
    drive.given(itemMade('FileID_1', 'FolderID_1', 'DiskID_1', OWNER));
    expect(seen()).toEqual([1, 1]);
  });

  it('stays the same object while files without restrictions of their own change', () => {
    const drive = new SpecDrive().given(disk, itemMade('FileID_0', ROOT, 'DiskID_1', OWNER));
    const scope = () => searchableFiles(drive.context(OWNER));
    const before = scope();
    drive.given(itemMade('FileID_1', ROOT, 'DiskID_1', OWNER));
    const { files } = drive.state;
    files.put({ ...files.get('FileID_0')!, expires_at: drive.now + 1e6 });
    expect(scope()).toBe(before);
    files.put({ ...files.get('FileID_0')!, has_sovereign_permissions: true });
    expect(scope()).not.toBe(before);
  });
});

function shown(records: Iterable<RecordBase>, visibility: Visibility): RecordBase[] {
  return [...records].filter(
    (record) =>
      visibility === 'all' ||
      visibility.some(({ field, among }) =>
        among.has((record as unknown as Record<string, string>)[field]!),
      ),
  );
}
