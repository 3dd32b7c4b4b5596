import { jest } from '@jest/globals';
import { disk, folder, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { itemMade } from '../testing/events.js';
import { fileReads, folderReads } from '../reads.js';
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

  it('cost one visit of each folder for files and folders, and short parts of long paths', () => {
    const drive = new SpecDrive().given(disk);
    const { folders } = drive.state;
    for (let nth = 0; nth < 100; nth++)
      folder(drive, `FolderID_${nth}`, nth === 0 ? ROOT : `FolderID_${nth - 1}`);
    const context = drive.context(OWNER);
    const visits = jest.spyOn(folders, 'where');
    const compared = jest.spyOn(String.prototype, 'includes');
    const found = [fileReads, folderReads].map(
      ({ search }) => search!.finds!(context, '/97/98/').by_path()[0]!.among,
    );
    const lengths = compared.mock.contexts.map((path) => String(path).length);
    compared.mockRestore();
    expect(found.map((ids) => [...ids])).toEqual([
      ['FolderID_98', 'FolderID_99'],
      ['FolderID_98', 'FolderID_99'],
    ]);
    expect(visits).toHaveBeenCalledTimes(101);
    expect(Math.max(...lengths)).toBeLessThan(20);
  });
});
