import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Contents } from '../../libs/engine/contents/contents.js';
import type { Client, Organization } from '../support/client.js';
import { put } from '../support/content.js';
import { onSmallContents, SMALL_DAMAGE } from '../support/small-contents.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

const FRAME = 64 * 1024 + 16;
/** Bytes of a content that is a file of its own. */
const LARGE = 100_000;
const DAY_MS = 86_400_000;

/** A file whose content lies in a file of the store. */
interface Stored {
  readonly id: string;
  readonly version_id: string;
  readonly content_id: string;
  readonly path: string;
}

describe('checks of stored content on the command line', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let disk: TestDisk;
  /** Contents of the drive by their ids. */
  const stored = (): Map<string, string> => {
    const folder = join(service.data_dir, 'content', org.drive_id);
    const all = readdirSync(folder, { recursive: true }) as string[];
    const paths = all.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
    return new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]));
  };
  const upload = async (name: string, size: number): Promise<Stored> => {
    const before = stored();
    const { id } = await makeFile(admin, disk, name);
    const { body } = await put(admin, id, randomBytes(size));
    const [content_id, path] = [...stored()].find(([key]) => !before.has(key))!;
    return { id, version_id: body.ok.data.file.version_id, content_id, path };
  };
  const options = (): string[] => ['--data-dir', service.data_dir];
  const verify = async (...more: string[]): Promise<any> => {
    const { code, out } = await ops(['verify', '--content', ...options(), '--json', ...more]);
    const { findings } = JSON.parse(out);
    return { code, bad: findings.filter((one: any) => !one.ok), findings };
  };
  const doctor = async (): Promise<{ code: number; says: string[] }> => {
    const { code, out } = await ops(['doctor', ...options(), '--json']);
    const { findings } = JSON.parse(out);
    const found = findings.filter(({ check }: { check: string }) => check === 'content');
    return { code, says: found.map(({ state, says }: any) => `${state} ${says}`) };
  };
  /** Damages a content, looks, and restores it. */
  const whileDamaged = async (
    { path }: Stored,
    damage: (path: string) => void,
    look: () => Promise<void>,
  ): Promise<void> => {
    const bytes = readFileSync(path);
    damage(path);
    try {
      await look();
    } finally {
      writeFileSync(path, bytes);
    }
  };

  beforeAll(async () => {
    service = await TestService.start({ CONTENT_STORE: 'files' });
    org = await service.organization();
    admin = org.admin;
    disk = await makeDisk(org);
    mkdirSync(join(service.data_dir, 'content', org.drive_id), { recursive: true });
  });
  afterAll(() => service.stop());

  it('read every byte beside the running service, and write nothing', async () => {
    const large = await upload('large.bin', 200_000);
    await put(admin, large.id, randomBytes(70_000));
    const { id } = await makeFile(admin, disk, 'empty.bin');
    await put(admin, id, '');
    const before = [...stored()].map(([key, path]) => [key, statSync(path).mtimeMs]);
    const { code, bad, findings } = await verify();
    expect([code, bad]).toEqual([0, []]);
    expect(findings.map(({ says }: any) => says)).toContain('3 contents, 270000 bytes: all fit.');
    expect([...stored()].map(([key, path]) => [key, statSync(path).mtimeMs])).toEqual(before);
    expect(await doctor()).toEqual({ code: 0, says: [] });
    const { out } = await ops(['verify', '--content', '--drive', org.drive_id, ...options()]);
    expect(out.trimEnd().split('\n')).toHaveLength(2);
  });

  it.each([
    [
      'a flipped byte',
      (path: string) => {
        const file = openSync(path, 'r+');
        writeSync(file, Buffer.from([readFileSync(path)[FRAME + 5]! ^ 1]), 0, 1, FRAME + 5);
        closeSync(file);
      },
      'is damaged: frame 1 is not what was stored',
    ],
    [
      'swapped frames',
      (path: string) => {
        const bytes = readFileSync(path);
        const rest = bytes.subarray(2 * FRAME);
        writeFileSync(
          path,
          Buffer.concat([bytes.subarray(FRAME, 2 * FRAME), bytes.subarray(0, FRAME), rest]),
        );
      },
      'is damaged: frame 0 is not what was stored',
    ],
    [
      'a lost end',
      (path: string) => truncateSync(path, 2 * FRAME),
      `has ${2 * FRAME} stored bytes instead of ${200_000 + 4 * 16}`,
    ],
    ['a lost file', (path: string) => rmSync(path), 'is missing'],
  ])('%s is named with file, version and content', async (_, damage, problem) => {
    const one = await upload(`${randomUUID()}.bin`, 200_000);
    const { id: file_id, version_id, content_id } = one;
    await whileDamaged(one, damage, async () => {
      const { code, bad } = await verify();
      expect(code).toBe(1);
      const content = { content_id, file_id, version_id, other_versions: 0, problem };
      expect(bad[0]).toEqual({
        about: org.drive_id,
        ok: false,
        says: `${content_id} of ${file_id}, ${version_id}, ${problem}.`,
        content,
      });
      expect(bad.at(-1).says).toMatch(/^\d+ contents, \d+ bytes: 1 are damaged\.$/);
    });
    expect((await verify()).code).toBe(0);
  });

  it.each([
    ['a flipped byte', 'is damaged: frame 0 is not what was stored'],
    ['a lost end', 'has 1015 stored bytes instead of 1016'],
  ] as const)('%s of a small content is named too', async (damage, problem) => {
    const { id } = await makeFile(admin, disk, `${randomUUID()}.bin`);
    await put(admin, id, randomBytes(1000));
    const drive = await service.server.drives.open(org.drive_id);
    const { content_id } = drive.state.files.get(id)!;
    const { contents } = service.server.stores;
    const key = { drive_id: org.drive_id, content_id: content_id! };
    const bytes: Uint8Array[] = [];
    for await (const chunk of contents.read(key)) bytes.push(chunk);
    const folder = join(service.data_dir, 'content');
    const sql = `UPDATE contents SET bytes = ${SMALL_DAMAGE[damage]} WHERE content_id = ?`;
    onSmallContents(folder, sql, content_id!);
    const damaged = await verify();
    await contents.delete(key);
    const missing = await verify();
    await contents.write(key, bytes);
    const found = { content_id, file_id: id };
    expect([damaged.code, damaged.bad[0].content]).toMatchObject([1, { ...found, problem }]);
    expect(missing.bad[0].content).toMatchObject({ ...found, problem: 'is missing' });
    expect((await verify()).code).toBe(0);
  });

  it('a content of another file in its place is not authentic', async () => {
    const [one, other] = [await upload('one.bin', LARGE), await upload('other.bin', LARGE)];
    const bytes = readFileSync(other.path);
    await whileDamaged(
      one,
      (path) => writeFileSync(path, bytes),
      async () => {
        const { bad } = await verify();
        expect(bad[0].content).toMatchObject({
          content_id: one.content_id,
          problem: 'is damaged: frame 0 is not what was stored',
        });
      },
    );
  });

  it('authentic bytes with another SHA-256 than that of the version are named', async () => {
    const one = await upload('replaced.bin', LARGE);
    const key = { drive_id: org.drive_id, content_id: one.content_id };
    const bytes = readFileSync(one.path);
    const contents = service.server.app.get(Contents, { strict: false });
    await contents.delete(key);
    const { sha256 } = await contents.write(
      key,
      (async function* () {
        yield randomBytes(LARGE);
      })(),
    );
    const { bad } = await verify();
    expect(bad[0].content).toMatchObject({
      version_id: one.version_id,
      problem: expect.stringMatching(new RegExp(`^has the SHA-256 ${sha256} instead of \\w{64}$`)),
    });
    writeFileSync(one.path, bytes);
  });

  it('a copied and a removed file name the version that they know', async () => {
    const one = await upload('copied.bin', LARGE);
    const { result } = await act(admin, 'COPY_FILE', {
      id: one.id,
      destination_folder_id: disk.root_folder,
    });
    expect(result).toBeTruthy();
    await whileDamaged(
      one,
      (path) => rmSync(path),
      async () => expect((await verify()).bad[0].content).toMatchObject({ other_versions: 1 }),
    );
    const removed = await upload('removed.bin', LARGE);
    const { error } = await act(admin, 'DELETE_FILE', { id: removed.id, permanent: true });
    expect(error).toBeFalsy();
    await whileDamaged(
      removed,
      (path) => rmSync(path),
      async () =>
        expect((await verify()).bad[0].content).toMatchObject({
          ...{ file_id: removed.id, version_id: removed.version_id, other_versions: 0 },
        }),
    );
  });

  it('doctor names missing and unreferenced content without reading any', async () => {
    const one = await upload('missing.bin', LARGE);
    const away = `${one.path}.away`;
    renameSync(one.path, away);
    const { code, says } = await doctor();
    renameSync(away, one.path);
    expect([code, says]).toEqual([
      1,
      [
        `bad ${org.drive_id}: 1 contents are missing or have another length: ${one.content_id}. ` +
          '`ops verify --content` names their files.',
      ],
    ]);
    // In the same folder as others that begin like it.
    const [young, old] = [`${one.path}-young`, `${one.path}-old`];
    writeFileSync(young, 'x');
    writeFileSync(old, 'four');
    const then = (Date.now() - 2 * DAY_MS) / 1000;
    utimesSync(old, then, then);
    const stray = join(service.data_dir, 'content', 'DriveID_stray', 'Co');
    mkdirSync(stray, { recursive: true });
    writeFileSync(join(stray, 'ContentID_1'), 'x');
    const found = await doctor();
    for (const path of [young, old, join(stray, '..')]) rmSync(path, { recursive: true });
    expect(found).toEqual({
      code: 0,
      says: [
        `warn ${org.drive_id}: no event names 1 stored contents (4 bytes) that are older than 24 hours: ` +
          `${one.content_id}-old. The service's next sweep deletes them.`,
        'warn There is stored content of DriveID_stray, which is not an organization here.',
      ],
    });
  });
});
