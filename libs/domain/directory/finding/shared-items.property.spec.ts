import { jest } from '@jest/globals';
import fc from 'fast-check';
import { Access, gives } from '../../access/access.js';
import { isCounting } from '../../access/grants.js';
import { isExpired } from '../../access/resources.js';
import { directoryGrant, disk, folder, ROOT, TRASH } from '../../permissions/testing/grants.js';
import type { Item } from '../../relations/directory-tree.js';
import { compareOrdered } from '../../kernel/indexes/ordered-index.js';
import { textKey } from '../../kernel/indexes/text-key.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { itemMade } from '../testing/events.js';
import { takeTreeStep, treeStep, USER } from '../testing/tree-steps.js';
import { sharedItems } from './shared-items.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 600);
const KINDS = ['folders', 'files'] as const;

/** Ids of what is shared with a user, each item looked at alone. */
function meant(drive: SpecDrive, who: string, kind: (typeof KINDS)[number]): string[] {
  const { state, now } = drive;
  const { grantees } = Access.of(drive.context(who));
  const isMeant = ({ id }: Item): boolean => {
    for (let at: string | null = id; at !== null;) {
      const around: Item = state.folders.get(at) ?? state.files.get(at)!;
      if (at === TRASH || isExpired(around, now)) return false;
      at = around.parent_folder_uuid;
    }
    const grants = [...state.directory_permissions.values()];
    return (
      id !== ROOT &&
      grants.some(
        (grant) =>
          grant.resource_id === id &&
          grantees.has(grant.granted_to) &&
          isCounting(grant, now) &&
          gives(grant, 'VIEW'),
      )
    );
  };
  return [...state[kind].values()]
    .filter(isMeant)
    .map(({ id, name }) => ({ id, key: textKey(name) }))
    .sort(compareOrdered)
    .map(({ id }) => id);
}

const listed = (drive: SpecDrive, who: string, kind: (typeof KINDS)[number]): string[] =>
  Array.from(sharedItems(drive.context(who), 0).inOrder('DiskID_1', kind), ({ id }) => id);

describe('what is shared with somebody', () => {
  it.each([USER, 'UserID_stranger'])('is the same after any change, for %s', (who) => {
    fc.assert(
      fc.property(fc.array(treeStep, { maxLength: 60, size: 'max' }), (steps) => {
        const drive = new SpecDrive().given(disk);
        for (const id of ['FolderID_0', 'FolderID_1', 'FolderID_2']) folder(drive, id, ROOT);
        drive.given(itemMade('FileID_0', ROOT, 'DiskID_1', OWNER));
        for (const id of [...drive.state.folders.by('parent', ROOT), 'FileID_0'])
          drive.given(directoryGrant(id, id, { granted_to: 'PUBLIC', permission_types: ['VIEW'] }));
        steps.forEach((one, at) => {
          takeTreeStep(drive, one, at);
          for (const kind of KINDS)
            expect(listed(drive, who, kind)).toEqual(meant(drive, who, kind));
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('is found once, and followed while files, names and grants change', () => {
    const drive = new SpecDrive().given(disk, itemMade('FileID_0', ROOT, 'DiskID_1', OWNER));
    const share = (id: string): unknown =>
      drive.given(directoryGrant(id, id, { granted_to: USER, permission_types: ['VIEW'] }));
    share('FileID_0');
    const before = sharedItems(drive.context(USER), 0);
    drive.given(itemMade('FileID_1', ROOT, 'DiskID_1', OWNER));
    share('FileID_1');
    folder(drive, 'FolderID_0', ROOT);
    expect(sharedItems(drive.context(USER), 0)).toBe(before);
    expect(listed(drive, USER, 'files')).toEqual(['FileID_0', 'FileID_1']);
  });

  describe('after moves of folders', () => {
    const share = (drive: SpecDrive, id: string): unknown =>
      drive.given(directoryGrant(id, id, { granted_to: USER, permission_types: ['VIEW'] }));
    /** Moves a folder by its expiry, which its content follows. */
    const end = (drive: SpecDrive, id: string): void =>
      drive.state.folders.put({ ...drive.state.folders.get(id)!, expires_at: drive.now + 1 });
    /** The number of folders whose subfolders are looked up until the list is given. */
    const entered = (drive: SpecDrive): number => {
      const { folders } = drive.state;
      const looks = [jest.spyOn(folders, 'by'), jest.spyOn(folders, 'where')];
      sharedItems(drive.context(USER), 0);
      return looks.flatMap((look) => look.mock.calls).filter(([index]) => index === 'parent')
        .length;
    };

    it('enters each of the nested folders once', () => {
      const drive = new SpecDrive().given(disk);
      const nested = Array.from({ length: 20 }, (_, nth) => `FolderID_${nth}`);
      nested.forEach((id, nth) => folder(drive, id, nested[nth - 1] ?? ROOT));
      share(drive, 'FolderID_19');
      const before = sharedItems(drive.context(USER), 0);
      for (const id of nested) end(drive, id);
      expect(entered(drive)).toBe(nested.length);
      expect(sharedItems(drive.context(USER), 0)).toBe(before);
      drive.after(1);
      expect(listed(drive, USER, 'folders')).toEqual([]);
    });

    it('finds all again instead of entering more folders than there are grants', () => {
      const drive = new SpecDrive().given(disk);
      folder(drive, 'FolderID_0', ROOT);
      for (let nth = 1; nth <= 300; nth++) folder(drive, `FolderID_${nth}`, 'FolderID_0');
      share(drive, 'FolderID_300');
      sharedItems(drive.context(USER), 0);
      end(drive, 'FolderID_0');
      expect(entered(drive)).toBe(1);
      expect(listed(drive, USER, 'folders')).toEqual(['FolderID_300']);
      drive.after(1);
      expect(listed(drive, USER, 'folders')).toEqual([]);
    });
  });

  it('is not kept if it is little', () => {
    const drive = new SpecDrive().given(disk);
    expect(sharedItems(drive.context(USER))).not.toBe(sharedItems(drive.context(USER)));
  });
});
