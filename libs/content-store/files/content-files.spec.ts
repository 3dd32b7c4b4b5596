import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTENT_STORE_CASES } from '../content-store.contract.js';
import { ContentExists } from '../port.js';
import { ContentFiles } from './content-files.js';

describe('contents as files', () => {
  let folder: string;
  let store: ContentFiles;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'content-files-'));
    store = await ContentFiles.open(join(folder, 'content'));
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it.each(CONTENT_STORE_CASES)('$name', async ({ run }) => {
    await expect(run(store)).resolves.toBeUndefined();
  });

  it('leave nothing behind that is not stored', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(100_000);
      throw new Error('the source failed');
    }
    const key = { drive_id: 'DriveID_1', content_id: 'aa-1' };
    await expect(store.write(key, failing())).rejects.toThrow('the source failed');
    expect(readdirSync(join(folder, 'content', '.writing'))).toEqual([]);
  });

  it('of a crash are removed when the store is opened, and nothing else', async () => {
    const again = join(folder, 'again');
    const first = await ContentFiles.open(again);
    const key = { drive_id: 'DriveID_1', content_id: 'aa-1' };
    await first.write(
      key,
      (async function* () {
        yield Buffer.from('kept');
      })(),
    );
    writeFileSync(join(again, '.writing', 'half'), 'half of a content');
    expect(await first.sweepUnfinished(Date.now() - 60_000)).toBe(0);
    const second = await ContentFiles.open(again);
    expect(readdirSync(join(again, '.writing'))).toEqual([]);
    expect(await second.size(key)).toBe(4);
    expect(await second.drives('', 10)).toEqual(['DriveID_1']);
  });

  it('of an older version, small ones too, are read, listed, kept and deleted', async () => {
    const older = join(folder, 'older');
    const [drive_id, content_id] = ['DriveID_1', 'ContentID_0123456789ab-1'];
    const key = { drive_id, content_id };
    const branch = join(older, drive_id, content_id.slice(0, 15));
    mkdirSync(branch, { recursive: true });
    writeFileSync(join(branch, content_id), 'older');
    const later = { drive_id, content_id: 'ContentID_0123456789ab-2' };
    const one = await ContentFiles.open(older);
    await one.write(later, [Buffer.from('later')]);
    const read = async (): Promise<string> => {
      const found: Uint8Array[] = [];
      for await (const chunk of one.read(key)) found.push(chunk);
      return Buffer.concat(found).toString();
    };
    expect(await read()).toBe('older');
    expect(await one.list(drive_id, '', 10)).toMatchObject([key, later]);
    await expect(one.write(key, [randomBytes(5)])).rejects.toThrow(ContentExists);
    expect([await read(), await one.size(key)]).toEqual(['older', 5]);
    await one.delete(key);
    expect(await one.list(drive_id, '', 10)).toMatchObject([later]);
    await one.close();
  });

  it('are read by a reader that was there before the database', async () => {
    const new_one = join(folder, 'new');
    const reader = ContentFiles.reading(new_one);
    const key = { drive_id: 'DriveID_1', content_id: 'aa-1' };
    expect(await reader.size(key)).toBeUndefined();
    await expect(reader.delete(key)).rejects.toThrow('opened for reading');
    const writer = await ContentFiles.open(new_one);
    await writer.write(key, [Buffer.from('x')]);
    expect(await reader.size(key)).toBe(1);
    await expect(reader.delete(key)).rejects.toThrow('read-only');
    await reader.close();
    await writer.close();
  });

  it('are those with names of contents; other files in the folder are ignored', async () => {
    const other = join(folder, 'other');
    const found = await ContentFiles.open(other);
    mkdirSync(join(other, 'lost+found'));
    const key = { drive_id: 'DriveID_1', content_id: 'aa-1' };
    await found.write(
      key,
      (async function* () {
        yield Buffer.alloc(100_000);
      })(),
    );
    const [branch] = readdirSync(join(other, 'DriveID_1')) as [string];
    writeFileSync(join(other, 'DriveID_1', branch, 'aa-0.backup'), '');
    writeFileSync(join(other, 'DriveID_1', 'README'), '');
    expect(await found.drives('', 10)).toEqual(['DriveID_1']);
    expect(await found.list('DriveID_1', '', 10)).toMatchObject([key]);
  });
});
