import { event, type DomainEvent } from '../../foundation/events.js';
import { diskMade, ROOT } from '../../permissions/testing/grants.js';
import { DRIVE, OWNER, SpecDrive } from '../../testing/drive.js';
import { directoryCommands as commands } from '../definitions.js';
import { objectKeyOf } from './object.js';
import type { ObjectOrder } from './upload.js';
import { itemMade, versionMade } from '../testing/events.js';

const IN_DISK = `${DRIVE}/DiskID_1`;
const cloud = diskMade({ disk_type: 'AWS_BUCKET', auth_json: '{}' });
const drive = (...events: DomainEvent[]) => new SpecDrive().given(cloud, ...events);
const version = (nth: number) => ({
  id: 'FileID_1',
  version_id: `FileVersionID_v${nth}`,
  permission_id: 'unused',
});
const file = (name: string, nth = 1) => ({
  ...{ name, parent_folder_uuid: ROOT, disk_id: 'DiskID_1', file_size: 1 },
  fresh: version(nth),
});

/** Key of a file's object within its disk. */
function keyOf({ state }: SpecDrive, id = 'FileID_1'): string {
  const key = objectKeyOf(state, state.files.get(id)!);
  expect(key.startsWith(`${IN_DISK}/`)).toBe(true);
  return key.slice(IN_DISK.length + 1);
}

function keyOfUpload({ upload }: { readonly upload?: object | null }): string {
  return (upload as ObjectOrder).object_key;
}

describe('the object of a file', () => {
  it.each([
    ['a.txt', 'FileID_1/FileVersionID_v1.txt'],
    ['a.tar.gz', 'FileID_1/FileVersionID_v1.gz'],
    ['a', 'FileID_1/FileVersionID_v1'],
    ['a.', 'FileID_1/FileVersionID_v1'],
    ['a.${filename}', 'FileID_1/FileVersionID_v1'],
    ['Dr. Müller', 'FileID_1/FileVersionID_v1'],
    [`a.${'x'.repeat(33)}`, 'FileID_1/FileVersionID_v1'],
    ['a.b\\..\\c', 'FileID_1/FileVersionID_v1'],
  ])('of %s lies at %s', (name, key) => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, file(name));
    expect(keyOf(made)).toBe(key);
  });

  it('is different for every version', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, file('a.txt'));
    const again = { ...file('a.txt', 2), file_conflict_resolution: 'REPLACE' as const };
    made.when(commands.CreateFile, OWNER, again);
    expect(keyOf(made)).toBe('FileID_1/FileVersionID_v2.txt');
  });

  it('keeps its key when the file is renamed, and copies refer to it', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, file('a.txt'));
    const copy = { id: 'FileID_1', destination_folder_id: ROOT, fresh: { id: 'FileID_copy' } };
    made.when(commands.CopyFile, OWNER, copy);
    made.when(commands.UpdateFile, OWNER, { id: 'FileID_1', name: 'b.md', fresh: version(2) });
    made.when(commands.CopyFile, OWNER, { ...copy, fresh: { id: 'FileID_later' } });
    for (const id of ['FileID_1', 'FileID_copy', 'FileID_later'])
      expect(keyOf(made, id)).toBe('FileID_1/FileVersionID_v1.txt');
  });

  it('is never overwritten once complete: another upload is a new version', () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, file('a.txt'));
    const anew = { id: 'FileID_1', request_presigned_url: true, fresh: version(2) };
    const { answer: early } = made.when(commands.UpdateFile, OWNER, anew);
    expect(keyOfUpload(early!)).toBe(`${IN_DISK}/FileID_1/FileVersionID_v1.txt`);
    made.when(commands.UpdateFile, OWNER, {
      ...{ id: 'FileID_1', upload_status: 'COMPLETED' },
      fresh: version(3),
    });
    const copy = { id: 'FileID_1', destination_folder_id: ROOT, fresh: { id: 'FileID_copy' } };
    made.when(commands.CopyFile, OWNER, copy);
    const { answer } = made.when(commands.UpdateFile, OWNER, { ...anew, name: 'b.md', notes: 'n' });
    expect(answer!.file).toMatchObject({
      ...{ name: 'b.md', notes: 'n', version_id: 'FileVersionID_v2', file_version: 2 },
      ...{ prior_version: 'FileVersionID_v1', upload_status: 'QUEUED' },
    });
    expect(keyOfUpload(answer!)).toBe(`${IN_DISK}/FileID_1/FileVersionID_v2.md`);
    expect(keyOf(made, 'FileID_copy')).toBe('FileID_1/FileVersionID_v1.txt');
    // An upload to a copy only affects the copy.
    const own = { ...anew, id: 'FileID_copy', fresh: version(4) };
    const { answer: copied } = made.when(commands.UpdateFile, OWNER, own);
    expect(keyOfUpload(copied!)).toBe(`${IN_DISK}/FileID_copy/FileVersionID_v4.txt`);
  });
});

describe('the status of a version whose object is complete', () => {
  const status = { id: 'FileID_1', fresh: version(2) };
  const complete = () => {
    const made = drive();
    made.when(commands.CreateFile, OWNER, file('a.txt'));
    made.when(commands.UpdateFile, OWNER, { ...status, upload_status: 'COMPLETED' });
    return made;
  };

  it.each(['QUEUED', 'PENDING'] as const)('cannot become %s', (upload_status) => {
    const made = complete();
    const again = made.when(commands.UpdateFile, OWNER, { ...status, upload_status, notes: 'n' });
    expect(again.refusal).toBe('invalid-field');
    const anew = { ...status, request_presigned_url: true };
    const { answer } = made.when(commands.UpdateFile, OWNER, anew);
    expect(keyOfUpload(answer!)).toBe(`${IN_DISK}/FileID_1/FileVersionID_v2.txt`);
  });

  it.each([{ request_presigned_url: true }, { raw_url: 'https://files.example/a' }])(
    'is that of the next version with %j',
    (starts) => {
      const next = { ...status, ...starts, upload_status: 'PENDING' } as const;
      const { answer } = complete().when(commands.UpdateFile, OWNER, next);
      expect(answer!.file).toMatchObject({ file_version: 2, upload_status: 'PENDING' });
    },
  );
});

describe('the object of a file from an older release', () => {
  const before = () => drive(itemMade('FileID_1', ROOT, 'DiskID_1', OWNER));

  it('keeps the key of its upload', () => {
    expect(keyOf(before())).toBe('FileID_1/FileID_1.txt');
    expect(keyOf(before().given(versionMade('FileID_1', OWNER)))).toBe('FileID_1/FileID_1.txt');
    const renamed = before();
    renamed.when(commands.UpdateFile, OWNER, { id: 'FileID_1', name: 'a.md', fresh: version(2) });
    expect(keyOf(renamed)).toBe('FileID_1/FileID_1.txt');
  });

  it('is the object of its copies, old and new', () => {
    const copied = before().given(
      event('ItemCopied', {
        ...{ source_id: 'FileID_1', copy_id: 'FileID_copy', parent_folder_uuid: ROOT },
        ...{ name: 'b.txt', created_by: OWNER, files_expire_at: null, left_out: [] },
      }),
    );
    expect(keyOf(copied, 'FileID_copy')).toBe('FileID_1/FileID_1.txt');
  });

  it('is not overwritten by new uploads', () => {
    const made = before();
    const anew = { id: 'FileID_1', request_presigned_url: true, fresh: version(2) };
    const { answer } = made.when(commands.UpdateFile, OWNER, anew);
    expect(keyOfUpload(answer!)).toBe(`${IN_DISK}/FileID_1/FileVersionID_v2.txt`);
    const queued = drive(event('FileCreated', queuedBefore()));
    const { answer: first } = queued.when(commands.UpdateFile, OWNER, anew);
    expect(keyOfUpload(first!)).toBe(`${IN_DISK}/FileID_1/FileVersionID_1-1.txt`);
  });
});

function queuedBefore() {
  const { data } = itemMade('FileID_1', ROOT, 'DiskID_1', OWNER);
  return { ...data, upload_status: 'QUEUED' } as Extract<
    DomainEvent,
    { type: 'FileCreated' }
  >['data'];
}
