import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ContentFiles } from '../../content-store/files/content-files.js';
import { type ContentKey, ContentMissing, type ContentStore } from '../../content-store/port.js';
import { StoreUnusable } from '../../event-store/port.js';
import { UNFINISHED_RESTORE } from '../../event-store/sqlite/index.js';
import { damagePage } from '../../event-store/sqlite/damaged-page.contract.js';
import { type BackedUp, backUp } from './back-up.js';
import { deleteOldBackups } from './delete-old.js';
import { BackupInProgress, lockBackups, TargetIsData } from './lock.js';
import { backupsIn, describeFile, MANIFEST, UnusableBackup } from './manifest.js';
import { checkBackup, restore, type Restored, TargetInUse } from './restore.js';

const KEY: ContentKey = { drive_id: 'DriveID_a', content_id: 'ContentID_a' };
const LARGE = Buffer.alloc(100_000, 'content');
const job = { signal: new AbortController().signal, progress: (): void => {} };

describe('a folder of backups', () => {
  let folder: string;
  let contents: ContentFiles;
  const at = (name: string): string => join(folder, name);
  const data_dir = (): string => at('data');
  const backUpTo = async (to: string, source: ContentStore = contents): Promise<BackedUp> => {
    const unlock = await lockBackups(to, data_dir());
    return backUp({ data_dir: data_dir(), contents: source, to, verify: false, ...job }).finally(
      unlock,
    );
  };
  const restoreTo = (to: string): Promise<Restored> =>
    restore({ from: at('backups'), to, skip_damaged: false, ...job });
  const bytesIn = async (store: ContentStore): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of store.read(KEY)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const namesIn = (name: string): string[] => readdirSync(name, { recursive: true }) as string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    contents = await ContentFiles.open(join(data_dir(), 'content'));
    await contents.write(KEY, [LARGE]);
    for (const name of ['events.db', 'side.db']) {
      const db = new DatabaseSync(join(data_dir(), name));
      db.exec('CREATE TABLE rows (value TEXT)');
      db.close();
    }
  });
  afterEach(async () => {
    await contents.close();
    await rm(folder, { recursive: true });
  });

  it('shares no file with the data folder, by whatever path', async () => {
    symlinkSync(data_dir(), at('link'));
    symlinkSync(folder, at('link-above'));
    await mkdir(at('linked'));
    symlinkSync(join(data_dir(), 'content'), at('linked/content'));
    const before = namesIn(data_dir());
    for (const to of ['data', 'data/new/backups', 'data/content', '', 'link', 'link/new'])
      await expect(backUpTo(at(to))).rejects.toThrow(TargetIsData);
    for (const to of ['link-above', 'link-above/data/new', 'linked', 'data/../data'])
      await expect(backUpTo(`${folder}/${to}`)).rejects.toThrow(TargetIsData);
    expect(namesIn(data_dir())).toEqual(before);
    expect(await bytesIn(contents)).toEqual(LARGE);
    await expect(backUpTo(at('link-above/data-backups'))).resolves.toMatchObject({ copied: 1 });
  });

  it('shares no file with a folder of contents that lies elsewhere', async () => {
    await contents.close();
    await mkdir(at('other/disk'), { recursive: true });
    await rm(at('data/content'), { recursive: true });
    symlinkSync(at('other/disk'), at('data/content'));
    contents = await ContentFiles.open(at('data/content'));
    await contents.write(KEY, [LARGE]);
    for (const to of ['other/disk', 'other/disk/new', 'other'])
      await expect(backUpTo(at(to))).rejects.toThrow(TargetIsData);
    expect(await bytesIn(contents)).toEqual(LARGE);
    await expect(backUpTo(at('backups'))).resolves.toMatchObject({ copied: 1 });
  });

  it('is used by one backup at a time', async () => {
    const [paused, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = new Proxy(contents, {
      get: (store, name) => {
        if (name === 'read') return slowly;
        const member = Reflect.get(store, name, store);
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
    async function* slowly(): AsyncGenerator<Uint8Array> {
      yield LARGE.subarray(0, 50_000);
      paused.resolve();
      await ended.promise;
      yield LARGE.subarray(50_000);
    }
    const first = backUpTo(at('backups'), slow);
    await paused.promise;
    const second = backUpTo(at('backups')).finally(ended.resolve);
    await expect(second).rejects.toThrow(BackupInProgress);
    await expect(first).resolves.toMatchObject({ contents: 1, copied: 1 });
    await expect(backUpTo(at('backups'))).resolves.toMatchObject({ contents: 1, copied: 0 });
    await expect(restoreTo(at('restored'))).resolves.toMatchObject({ contents: 1 });
  });

  /** The store, from which only the first half of the content can be read. */
  const unreadable = (error: Error): ContentStore => {
    async function* half(): AsyncGenerator<Uint8Array> {
      yield LARGE.subarray(0, 50_000);
      throw error;
    }
    return new Proxy(contents, {
      get: (store, name) => {
        if (name === 'read') return half;
        const member = Reflect.get(store, name, store);
        return typeof member === 'function' ? member.bind(store) : member;
      },
    });
  };

  it('keeps a copy until the source has been read to its end', async () => {
    const left = await ContentFiles.open(at('backups/content'));
    await left.write(KEY, [LARGE]);
    await expect(backUpTo(at('backups'), unreadable(new Error('EIO')))).resolves.toMatchObject({
      contents: 0,
      unreadable: [{ ...KEY, reason: 'EIO' }],
    });
    expect(await bytesIn(left)).toEqual(LARGE);
    await expect(backUpTo(at('backups'))).resolves.toMatchObject({ contents: 1, copied: 1 });
    expect(await bytesIn(left)).toEqual(LARGE);
    await left.close();
  });

  it('has the other contents if one cannot be read, or is deleted while it is read', async () => {
    const deleted = unreadable(new ContentMissing('there is no such content'));
    await expect(backUpTo(at('backups'), deleted)).resolves.toMatchObject({
      contents: 0,
      unreadable: [],
    });
    await backUpTo(at('backups'));
    const later = await backUpTo(at('backups'), unreadable(new Error('EIO')));
    expect(later).toMatchObject({ contents: 1, copied: 0, unreadable: [] });
  });

  it('keeps the copy of an earlier backup though later ones lack the content', async () => {
    await backUpTo(at('backups'));
    await contents.delete(KEY);
    await expect(backUpTo(at('backups'))).resolves.toMatchObject({ contents: 0 });
    await contents.write(KEY, [LARGE.toReversed()]);
    await expect(backUpTo(at('backups'))).resolves.toMatchObject({ contents: 1, copied: 0 });
    const copies = ContentFiles.reading(at('backups/content'));
    expect(await bytesIn(copies)).toEqual(LARGE);
  });

  it('orders backups as they were made, also if the clock has been set back', async () => {
    const first = await backUpTo(at('backups'));
    const later = at('backups/2101-01-01T00-00-00-000Z');
    renameSync(first.folder, later);
    const second = await backUpTo(at('backups'));
    expect(second.folder).toBe(at('backups/2101-01-01T00-00-00-001Z'));
    expect(second.began_ms).toBeLessThan(Date.UTC(2101));
    const unlock = await lockBackups(at('backups'), data_dir());
    const { backups } = await deleteOldBackups(at('backups'), 1, [], job.signal).finally(unlock);
    expect(backups).toEqual(['2101-01-01T00-00-00-000Z']);
    await expect(restoreTo(at('restored'))).resolves.toMatchObject({ contents: 1 });
  });

  it.each(['2026-01-01T00-00-00Z', '2026-13-01T00-00-00-000Z', 'notes', 'content'])(
    'is no backup by the name %s',
    async (name) => {
      await mkdir(at(`backups/${name}`), { recursive: true });
      const { folder: made } = await backUpTo(at('backups'));
      await expect(backupsIn(at('backups'))).resolves.toEqual([basename(made)]);
    },
  );

  it('omits contents that cannot be read on request, and restores the others', async () => {
    const damaged = { ...KEY, content_id: 'ContentID_small' };
    await contents.write(damaged, [LARGE.subarray(0, 9_000)]);
    await backUpTo(at('backups'));
    const file = at('backups/content/small.db');
    // The page on which its row begins.
    const bytes = readFileSync(file);
    const page = Math.floor(bytes.indexOf('content'.repeat(100)) / 4096);
    writeFileSync(file, bytes.fill(255, page * 4096, page * 4096 + 8));
    await expect(restoreTo(at('restored'))).rejects.toThrow(
      /ContentID_small of DriveID_a is unreadable/,
    );
    const options = { from: at('backups'), ...job };
    const found = {
      contents: 1,
      damaged: [{ ...damaged, reason: expect.stringMatching(/^unreadable/) }],
    };
    await expect(checkBackup(options)).resolves.toMatchObject(found);
    const to = at('restored');
    await expect(restore({ ...options, to, skip_damaged: true })).resolves.toMatchObject(found);
    const restored = ContentFiles.reading(at('restored/content'));
    expect(await bytesIn(restored)).toEqual(LARGE);
  });

  it.each(['events.db', 'side.db', 'content/small.db'])(
    'is not made of a damaged %s, and earlier ones are kept',
    async (name) => {
      for (let nth = 0; nth < 9; nth++) {
        const key = { ...KEY, content_id: `ContentID_${nth}` };
        await contents.write(key, [LARGE.subarray(0, 3_000)]);
      }
      for (const database of ['events.db', 'side.db']) {
        const db = new DatabaseSync(join(data_dir(), database));
        db.exec(
          "INSERT INTO rows SELECT hex(randomblob(1000)) FROM json_each('[1,2,3,4,5,6,7,8]')",
        );
        db.close();
      }
      const first = basename((await backUpTo(at('backups'))).folder);
      const is_small = name === 'content/small.db';
      const damaged = join(is_small ? at('backups') : data_dir(), name);
      damagePage(damaged, 4);
      const second = backUpTo(at('backups'));
      await expect(second).rejects.toThrow(StoreUnusable);
      await expect(second).rejects.toThrow(`${damaged} is damaged (`);
      const left = readdirSync(at('backups')).filter((one) => !one.startsWith('lock.db'));
      expect(left.sort()).toEqual([first, 'content']);
    },
  );

  it('is damaged if a database was when an earlier release backed it up', async () => {
    const db = new DatabaseSync(join(data_dir(), 'side.db'));
    db.exec("INSERT INTO rows SELECT hex(randomblob(1000)) FROM json_each('[1,2,3,4,5,6,7,8]')");
    db.close();
    const backup = (await backUpTo(at('backups'))).folder;
    damagePage(join(backup, 'side.db'), 2);
    const path = join(backup, MANIFEST);
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    const files = await Promise.all(
      manifest.files.map(({ name }: { name: string }) => describeFile(backup, name)),
    );
    writeFileSync(path, JSON.stringify({ ...manifest, files }));
    const checking = checkBackup({ from: at('backups'), ...job });
    await expect(checking).rejects.toThrow(UnusableBackup);
    await expect(checking).rejects.toThrow(/side\.db is damaged \(.+\): take an earlier backup\./);
    await expect(restoreTo(at('restored'))).resolves.toMatchObject({ contents: 1 });
  });

  it('replaces a copy of other bytes that no backup lists', async () => {
    const left = await ContentFiles.open(at('backups/content'));
    await left.write(KEY, [LARGE.toReversed()]);
    await backUpTo(at('backups'));
    expect(await bytesIn(left)).toEqual(LARGE);
    await left.close();
    await expect(restoreTo(at('restored'))).resolves.toMatchObject({ contents: 1 });
  });

  it.each<[string, (files: { name: unknown }[]) => unknown]>([
    ['a name outside the folder', (files) => [...files, { ...files[0], name: '../e.db' }]],
    ['a path', ([first, ...rest]) => [{ ...first, name: './events.db' }, ...rest]],
    ['another name', (files) => [...files, { ...files[0], name: 'master.key' }]],
    ['a name twice', (files) => [...files, files[0]]],
    ['a missing database', (files) => files.slice(1)],
    ['a missing list of contents', (files) => files.slice(0, -1)],
    ['no name', ([, ...rest]) => [null, ...rest]],
    ['no files', () => undefined],
  ])('is damaged if a manifest has %s', async (_, change) => {
    const backup = (await backUpTo(at('backups'))).folder;
    writeFileSync(at('backups/e.db'), readFileSync(join(backup, 'events.db')));
    const path = join(backup, MANIFEST);
    const manifest = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...manifest, files: change(manifest.files) }));
    const before = namesIn(folder);
    await expect(restoreTo(at('restored'))).rejects.toThrow(UnusableBackup);
    expect(namesIn(folder)).toEqual(before);
  });

  it.each(['events.db', 'contents.jsonl'])('is damaged without %s', async (name) => {
    const backup = (await backUpTo(at('backups'))).folder;
    await rm(join(backup, name));
    await expect(restoreTo(at('restored'))).rejects.toThrow(UnusableBackup);
    expect(existsSync(at('restored'))).toBe(false);
  });

  it('is damaged if its list names a content outside the folder', async () => {
    const backup = (await backUpTo(at('backups'))).folder;
    const path = join(backup, 'contents.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('DriveID_a', '../DriveID_a'));
    await expect(restoreTo(at('restored'))).rejects.toThrow(UnusableBackup);
    expect(existsSync(at('restored'))).toBe(false);
  });

  it('is restored again after an interruption, beside files of the operator', async () => {
    await backUpTo(at('backups'));
    const to = at('restored');
    await mkdir(join(to, 'content/DriveID_b'), { recursive: true });
    for (const name of [UNFINISHED_RESTORE, 'events.db', 'events.db-wal', 'content/DriveID_b/x'])
      writeFileSync(join(to, name), 'interrupted');
    for (const name of ['master.key', 'signing.key', 'notes'])
      writeFileSync(join(to, name), 'of the operator');
    await restoreTo(to);
    expect(readdirSync(to).sort()).toEqual(
      ['content', 'events.db', 'master.key', 'notes', 'side.db', 'signing.key'].sort(),
    );
    expect(readFileSync(join(to, 'master.key'), 'utf8')).toBe('of the operator');
    expect(existsSync(join(to, 'content/DriveID_b'))).toBe(false);
    await expect(restoreTo(to)).rejects.toThrow(TargetInUse);
  });
});
