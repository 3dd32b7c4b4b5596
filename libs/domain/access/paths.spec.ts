import { disk, folder, ROOT, TRASH } from '../permissions/testing/grants.js';
import { SpecDrive } from '../testing/drive.js';
import { clippedPath, fullPath } from './paths.js';

describe('paths', () => {
  const { state } = (() => {
    const drive = new SpecDrive().given(disk);
    folder(drive, 'FolderID_a', ROOT);
    folder(drive, 'FolderID_b', 'FolderID_a');
    folder(drive, 'FolderID_t', TRASH);
    return drive;
  })();

  it.each([
    [ROOT, 'DiskID_1::/', 'DiskID_1::/'],
    [TRASH, 'DiskID_1::.trash/', 'DiskID_1::.trash/'],
    ['FolderID_a', 'DiskID_1::/a/', 'DiskID_1::a/'],
    ['FolderID_b', 'DiskID_1::/a/b/', 'DiskID_1::../b/'],
    ['FolderID_t', 'DiskID_1::.trash/t/', 'DiskID_1::../t/'],
  ])('of %s', (id, full, clipped) => {
    const node = state.folders.get(id)!;
    expect(fullPath(state, node)).toBe(full);
    expect(clippedPath(state, node)).toBe(clipped);
  });
});
