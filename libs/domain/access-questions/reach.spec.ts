import { jest } from '@jest/globals';
import { Access } from '../access/access.js';
import { directoryGrant, disk, folder, ROOT } from '../permissions/testing/grants.js';
import { SpecDrive } from '../testing/drive.js';
import { placesReached, reachedAs } from './reach.js';
import { manyPathsFor, pathsFor } from './rights.js';

const BOB = 'UserID_bob';

describe('the places reached in nested folders', () => {
  /** A drive with that many folders, each in the one before, all of which Bob may view except the sovereign last one. */
  function nested(depth: number, has_own_grants = false): Access {
    const drive = new SpecDrive().given(
      disk,
      directoryGrant('all', 'FolderID_0', { granted_to: BOB, permission_types: ['VIEW'] }),
    );
    for (let at = 0; at < depth; at++) {
      const id = `FolderID_${at}`;
      folder(drive, id, at === 0 ? ROOT : `FolderID_${at - 1}`, {
        has_sovereign_permissions: at === depth - 1,
      });
      if (has_own_grants)
        drive.given(
          directoryGrant(`own-${at}`, id, { granted_to: BOB, permission_types: ['VIEW'] }),
        );
    }
    return new Access(drive.state, BOB, drive.now);
  }

  const question = { families: [], collapse: false, permission_type: 'VIEW' } as const;

  /** How many folders are looked up to find them. */
  function lookedUp(depth: number): number {
    const access = nested(depth);
    const get = jest.spyOn(access.state.folders, 'get');
    const { places } = placesReached(access, question, manyPathsFor(access));
    expect(places).toHaveLength(depth - 1);
    const { length } = get.mock.calls;
    get.mockRestore();
    return length;
  }

  it('are found in a number of steps in proportion to the folders', () => {
    expect(lookedUp(200)).toBeLessThan(lookedUp(100) * 2.5);
  });

  it('begin at grants that are looked at in a number of steps in proportion to them', () => {
    const visited = (depth: number): number => {
      const access = nested(depth, true);
      const get = jest.spyOn(access.state.folders, 'get');
      const { places } = placesReached(access, { ...question, collapse: true }, () => '');
      expect(places).toHaveLength(2);
      const { length } = get.mock.calls;
      get.mockRestore();
      return length;
    };
    expect(visited(200)).toBeLessThan(visited(100) * 2.5);
  });

  it('have cuts that are found in a number of steps in proportion to the folders', () => {
    const visited = (depth: number): number => {
      const drive = new SpecDrive().given(disk);
      for (let at = 0; at < depth; at++)
        folder(drive, `FolderID_${at}`, at === 0 ? ROOT : `FolderID_${at - 1}`);
      const last = `FolderID_${depth - 1}`;
      drive.given(
        directoryGrant('all', 'FolderID_0', { granted_to: BOB, permission_types: ['VIEW'] }),
      );
      for (let at = 0; at < depth; at++)
        folder(drive, `FolderID_cut-${at}`, last, { has_sovereign_permissions: true });
      const access = new Access(drive.state, BOB, drive.now);
      const asked = { ...question, collapse: true } as const;
      const [place] = placesReached(access, asked, () => '').places;
      const get = jest.spyOn(access.state.folders, 'get');
      expect(reachedAs(access, asked, () => '')(place!).cuts).toHaveLength(depth);
      const { length } = get.mock.calls;
      get.mockRestore();
      return length;
    };
    expect(visited(200)).toBeLessThan(visited(100) * 2.5);
  });

  it('have the same paths as each alone', () => {
    const access = nested(5);
    const [one, many] = [pathsFor(access), manyPathsFor(access)];
    const ids = [ROOT, ...Array.from({ length: 6 }, (_, at) => `FolderID_${at}`)];
    const shown = ids.map((id) => many(access, id));
    expect(shown).toEqual(ids.map((id) => one(access, id)));
    expect(shown.filter((path) => path !== '')).toHaveLength(4);
  });
});
