import { event } from '../../foundation/events.js';
import { refuse } from '../../kernel/refusal.js';
import { diskMade, ROOT } from '../../permissions/testing/grants.js';
import { DRIVE, OWNER, SpecDrive } from '../../testing/drive.js';
import { directoryCommands as commands } from '../definitions.js';
import type { FoundObject, UpdateFile } from '../commands.js';
import { requiredObject } from './completion.js';
import { itemMade } from '../testing/events.js';

const SHA256 = 'ab'.repeat(32);
const KEY = `${DRIVE}/DiskID_1/FileID_1/FileVersionID_v1.txt`;
const FOUND: FoundObject = {
  object_key: KEY,
  ...{ size: 7, sha256: SHA256, media_type: 'text/plain' },
};
const FRESH = { version_id: 'FileVersionID_v2' };
const COMPLETE = { id: 'FileID_1', upload_status: 'COMPLETED', fresh: FRESH } as const;

/** A drive with a file on a bucket, whose uploads are verified. */
function drive(disk: object = {}, file: object = {}): SpecDrive {
  const made = new SpecDrive().given(
    diskMade({ disk_type: 'AWS_BUCKET', auth_json: '{}', ...disk }),
  );
  made.settings = { ...made.settings, verify_bucket_uploads: true };
  made.when(commands.CreateFile, OWNER, {
    ...{ name: 'a.txt', parent_folder_uuid: ROOT, disk_id: 'DiskID_1', file_size: 100 },
    fresh: { id: 'FileID_1', version_id: 'FileVersionID_v1', permission_id: 'unused' },
    ...file,
  });
  return made;
}

const complete = (made: SpecDrive, more: Partial<UpdateFile> = {}) =>
  made.when(commands.UpdateFile, OWNER, { ...COMPLETE, ...more });

describe('the completion of an upload to a bucket', () => {
  it('records what the bucket has found', () => {
    const { events, answer } = complete(drive(), { found: FOUND });
    expect(events).toEqual([
      event('FileUpdated', {
        ...{ file_id: 'FileID_1', updated_by: OWNER, upload_status: 'COMPLETED' },
        ...{ file_size: 7, sha256: SHA256, media_type: 'text/plain' },
      }),
    ]);
    expect(answer!.file).toMatchObject({
      ...{ file_size: 7, sha256: SHA256, media_type: 'text/plain' },
      content_available: true,
    });
  });

  it('keeps the media type of a version without a known digest in the versions', () => {
    const made = drive();
    complete(made, { found: { ...FOUND, sha256: null } });
    made.when(commands.UpdateFile, OWNER, {
      ...{ id: 'FileID_1', request_presigned_url: true, fresh: FRESH },
    });
    expect(made.state.file_versions.get('FileVersionID_v1')).toMatchObject({
      ...{ media_type: 'text/plain', file_size: 7 },
    });
    const { sha256, media_type } = made.state.files.get('FileID_1')!;
    expect([sha256, media_type]).toEqual([undefined, undefined]);
  });

  it('is refused with what the bucket was refused with', () =>
    expect(complete(drive(), { found: refuse('object-missing') }).refusal).toBe('object-missing'));

  it('is refused if nobody asked the bucket', () =>
    expect(complete(drive()).refusal).toBe('object-missing'));

  it('is refused for the object of another version', () => {
    const found = { ...FOUND, object_key: KEY.replace('_v1', '_v0') };
    expect(complete(drive(), { found }).refusal).toBe('object-missing');
  });

  it('is refused for an object that replaced the one of a complete version', () => {
    const made = drive();
    complete(made, { found: FOUND });
    for (const sha256 of ['cd'.repeat(32), null])
      expect(complete(made, { found: { ...FOUND, sha256 } }).refusal).toBe('object-missing');
    expect(complete(made, { found: FOUND }).refusal).toBeNull();
    expect(made.state.files.get('FileID_1')!.sha256).toBe(SHA256);
  });

  it('is refused together with a new form', () =>
    expect(complete(drive(), { found: FOUND, request_presigned_url: true }).refusal).toBe(
      'invalid-field',
    ));

  it('is refused without credentials', () => {
    const made = drive();
    made.given(event('DiskUpdated', { disk_id: 'DiskID_1', auth_json: null }));
    expect(complete(made, { found: FOUND }).refusal).toBe('disk-without-credentials');
  });

  it.each<[string, SpecDrive, Partial<UpdateFile>]>([
    ['on other types of disk', drive({ disk_type: 'BROWSER_CACHE' }), {}],
    ['where the client gives a URL', drive(), { raw_url: 'https://files.example/a' }],
    ['where the client gave a URL', drive({}, { raw_url: 'https://files.example/a' }), {}],
  ])('needs no object %s', (_, made, more) => {
    expect(requiredObject(made.context(OWNER), { ...COMPLETE, ...more })).toBeNull();
    expect(complete(made, more).refusal).toBeNull();
  });

  it('needs no object where uploads are not verified', () => {
    const made = drive();
    made.settings = { ...made.settings, verify_bucket_uploads: false };
    expect(requiredObject(made.context(OWNER), COMPLETE)).toBeNull();
    const { events } = complete(made);
    expect(events[0]!.data).not.toHaveProperty('file_size');
  });
});

describe('the object that an update requires', () => {
  it('is that of the current version', () =>
    expect(requiredObject(drive().context(OWNER), COMPLETE)!.object_key).toBe(KEY));

  it('is none for callers who may not make the update', () => {
    const made = drive();
    expect(requiredObject(made.context('UserID_other'), COMPLETE)).toBeNull();
    const update = { ...COMPLETE, found: FOUND };
    expect(made.when(commands.UpdateFile, 'UserID_other', update).refusal).toBe('forbidden');
  });

  it('is none for other changes and for unknown files', () => {
    const context = drive()
      .given(itemMade('FileID_2', ROOT, 'DiskID_1', OWNER))
      .context(OWNER);
    expect(requiredObject(context, { id: 'FileID_1', notes: 'x', fresh: FRESH })).toBeNull();
    expect(requiredObject(context, { ...COMPLETE, id: 'FileID_3' })).toBeNull();
  });
});

describe('what describes an upload', () => {
  it.each([{ upload_size: 5 }, { upload_sha256: SHA256 }])('%j requires a form for it', (field) => {
    const update = { id: 'FileID_1', notes: 'x', fresh: FRESH, ...field };
    expect(drive().when(commands.UpdateFile, OWNER, update).refusal).toBe('invalid-field');
  });

  it('is the limit of the form, for the first upload and for further ones', () => {
    const made = drive();
    const again = {
      ...{ id: 'FileID_1', request_presigned_url: true, fresh: FRESH },
      ...{ upload_size: 5, upload_sha256: SHA256 },
    };
    const first = made.when(commands.UpdateFile, OWNER, again).answer!;
    expect(first.upload).toMatchObject({ max_bytes: 5, sha256: SHA256, object_key: KEY });
    complete(made, { found: FOUND });
    const next = made.when(commands.UpdateFile, OWNER, { ...again, upload_size: 500 }).answer!;
    expect(next.upload).toMatchObject({ max_bytes: 500, sha256: SHA256 });
    expect(next.file.file_version).toBe(2);
  });
});
