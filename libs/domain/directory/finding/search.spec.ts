import { disk, folder, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { itemMade } from '../testing/events.js';
import { pathMatches } from './search.js';

describe('matches of paths', () => {
  // With many files in the folders of a path, all names are searched at once.
  it.each([10, 1_100])('begin the names of files in the right folders, of %i files', (many) => {
    const drive = new SpecDrive().given(disk, itemMade('FileID_x', ROOT, 'DiskID_1', OWNER));
    folder(drive, 'FolderID_in', ROOT, { name: 'In' });
    folder(drive, 'FolderID_out', ROOT, { name: 'Out' });
    const { files } = drive.state;
    const made = files.get('FileID_x')!;
    const put = (id: string, parent_folder_uuid: string, name: string): void =>
      files.put({ ...made, id, parent_folder_uuid, name });
    for (let nth = 0; nth < many; nth++) put(`FileID_${nth}`, 'FolderID_in', `b ${nth} a`);
    put('FileID_a', 'FolderID_in', 'A plan');
    put('FileID_other', 'FolderID_out', 'A plan');
    const found = (text: string) => {
      const [around, by_name] = pathMatches(drive.context(OWNER), text).files;
      return [[...around!.among], [...by_name!.among].sort()];
    };
    expect(found('in/a')).toEqual([[], ['FileID_a']]);
    expect(found('in/')).toEqual([['FolderID_in'], []]);
    put('FileID_later', 'FolderID_in', 'a later one');
    put('FileID_a', 'FolderID_in', 'renamed');
    expect(found('/in/a')).toEqual([[], ['FileID_later']]);
  });
});
