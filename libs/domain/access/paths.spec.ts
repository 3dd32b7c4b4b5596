import { event } from '../foundation/events.js';
import { disk, folder, ROOT, TRASH } from '../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../testing/drive.js';
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

  it('change when an ancestor is renamed, moved or trashed', () => {
    const drive = new SpecDrive().given(disk);
    folder(drive, 'FolderID_a', ROOT);
    folder(drive, 'FolderID_b', 'FolderID_a');
    folder(drive, 'FolderID_c', ROOT);
    const move = (item_id: string, parent_folder_uuid: string) =>
      drive.given(event('ItemMoved', { item_id, parent_folder_uuid, name: item_id.slice(-1) }));
    const paths = () => {
      const node = drive.state.folders.get('FolderID_b')!;
      return [fullPath(drive.state, node), clippedPath(drive.state, node)];
    };
    expect(paths()).toEqual(['DiskID_1::/a/b/', 'DiskID_1::../b/']);
    drive.given(
      event('FolderUpdated', { folder_id: 'FolderID_a', updated_by: OWNER, name: 'new' }),
    );
    expect(paths()).toEqual(['DiskID_1::/new/b/', 'DiskID_1::../b/']);
    move('FolderID_b', 'FolderID_c');
    expect(paths()).toEqual(['DiskID_1::/c/b/', 'DiskID_1::../b/']);
    move('FolderID_b', ROOT);
    expect(paths()).toEqual(['DiskID_1::/b/', 'DiskID_1::b/']);
  });
});
