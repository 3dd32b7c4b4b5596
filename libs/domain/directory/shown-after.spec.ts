import type { DomainEvent } from '../foundation/events.js';
import { directoryGrant, diskMade, ROOT } from '../permissions/testing/grants.js';
import { OWNER, SpecDrive, T0 } from '../testing/drive.js';
import type { CreateFile, CreateFolder } from './commands.js';
import { directoryCommands as commands } from './definitions.js';

const BOB = 'UserID_bob';
const END = T0 + 99_000;
const HIDDEN = { expires_at: END, notes: 'hidden', external_id: 'hidden', external_payload: 'h' };
const GUESSED = { expires_at: -1, notes: 'x', external_id: 'x', external_payload: 'x' };
const NOTHING = { expires_at: -1, notes: null, external_id: null, external_payload: null };

const item = (nth: number, more: object): CreateFile & CreateFolder => ({
  ...{ parent_folder_uuid: ROOT, disk_id: 'DiskID_1', name: 'hr', file_size: 1 },
  fresh: { id: `ItemID_${nth}`, version_id: `FileVersionID_${nth}`, permission_id: 'unused' },
  ...more,
});

/** A drive in which Bob may write without VIEW, some time after the owner has created an item. */
function drive(kind: 'file' | 'folder', disk: object = {}): SpecDrive {
  const may: DomainEvent = directoryGrant('bob', ROOT, {
    ...{ granted_to: BOB, permission_types: ['UPLOAD', 'EDIT', 'DELETE'] },
  });
  const made = new SpecDrive().given(diskMade(disk), may);
  const existing = item(1, HIDDEN);
  if (kind === 'file') made.when(commands.CreateFile, OWNER, existing);
  else made.when(commands.CreateFolder, OWNER, existing);
  return made;
}

describe('the answer to a creator without VIEW', () => {
  it.each(['REPLACE', 'KEEP_NEWER'] as const)(
    'has only the name of a folder that %s keeps',
    (file_conflict_resolution) => {
      const guess = item(2, { ...GUESSED, file_conflict_resolution });
      const { events, answer } = drive('folder').when(commands.CreateFolder, BOB, guess);
      expect(events).toEqual([]);
      expect(answer!.folder).toMatchObject({ id: 'ItemID_1', name: 'hr', ...NOTHING });
    },
  );

  it('has only the name of a file that is newer and kept, and no form for its object', () => {
    const made = drive('file', { disk_type: 'AWS_BUCKET', auth_json: '{}' });
    made.now = T0;
    const guess = item(2, { ...GUESSED, file_conflict_resolution: 'KEEP_NEWER' });
    const { events, answer } = made.when(commands.CreateFile, BOB, guess);
    expect(events).toEqual([]);
    expect(answer!.file).toMatchObject({ id: 'ItemID_1', name: 'hr', file_size: 0, ...NOTHING });
    expect(answer!.upload).toBeNull();
  });

  it('has the fields of a file that are replaced, but no expiry that the disk sets', () => {
    const renewed = item(2, { ...GUESSED, file_conflict_resolution: 'REPLACE', expires_at: END });
    const { answer } = drive('file').when(commands.CreateFile, BOB, renewed);
    expect(answer!.file).toMatchObject({ ...GUESSED, name: 'hr', expires_at: END });
    const limited = drive('file', { autoexpire_ms: 500 }).after(100);
    const { answer: set } = limited.when(commands.CreateFile, BOB, renewed);
    expect(set!.file).toMatchObject({ ...GUESSED, name: 'hr', expires_at: -1 });
  });
});
