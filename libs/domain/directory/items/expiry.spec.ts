import { diskMade, ROOT } from '../../permissions/testing/grants.js';
import { OWNER, SpecDrive } from '../../testing/drive.js';
import { directoryCommands as commands } from '../definitions.js';

describe('the expiry of files', () => {
  it('is at most the last safe time, whatever lifetime the disk gives them', () => {
    const made = new SpecDrive().given(diskMade({ autoexpire_ms: Number.MAX_SAFE_INTEGER }));
    made.when(commands.CreateFile, OWNER, {
      ...{ parent_folder_uuid: ROOT, disk_id: 'DiskID_1', name: 'a.txt', file_size: 1 },
      fresh: { id: 'FileID_1', version_id: 'FileVersionID_1', permission_id: 'unused' },
    });
    const copy = { id: 'FileID_1', destination_folder_id: ROOT, fresh: { id: 'FileID_copy' } };
    made.when(commands.CopyFile, OWNER, copy);
    const ends = ['FileID_1', 'FileID_copy'].map((id) => made.state.files.get(id)!.expires_at);
    expect(ends).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]);
  });
});
