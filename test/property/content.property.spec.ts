import { createHash, randomInt } from 'node:crypto';
import { Sweeps } from '../../libs/application/sweeps.js';
import type { Client, Organization } from '../support/client.js';
import { download, put, type RawAnswer, sha256Of } from '../support/content.js';
import { act, makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';

const STEPS = Number(process.env.CONTENT_STEPS ?? 120);
const DAY_MS = 86_400_000;

/** A file of the model: its current bytes, null while it has none. */
interface ModelFile {
  bytes: Buffer | null;
  is_trashed: boolean;
  /** Former versions that have bytes, by id. */
  readonly former: Map<string, Buffer>;
  version_id: string;
}

/** The bytes of all files at one revision; files in the trash are left out. */
type Moment = ReadonlyMap<string, Buffer | null>;

describe('random uploads, versions, copies, trashes, restores and retention', () => {
  let service: TestService;
  let org: Organization;
  let admin: Client;
  let disk: TestDisk;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => now });
    org = await service.organization();
    admin = org.admin;
    disk = await makeDisk(org, { keep_versions: 3 });
  });
  afterAll(() => service.stop());

  it('every past moment has the bytes that it had, or says which hash was deleted', async () => {
    // The seed is printed with the failure, so that a run can be repeated.
    const seed = process.env.CONTENT_SEED ?? String(randomInt(2 ** 31));
    const chance = chances(seed);
    const files = new Map<string, ModelFile>();
    const moments: [revision: number, moment: Moment][] = [];
    const sweep = () => service.server.app.get(Sweeps, { strict: false }).content.sweep();
    const said: string[] = [];
    const revision = async (): Promise<number> =>
      Number((await admin.post('/disks/list')).headers.get('drive-revision'));

    const steps: Record<string, () => Promise<void>> = {
      async create() {
        const { id, version_id } = await makeFile(admin, disk, `f${said.length}.bin`);
        files.set(id, { bytes: null, is_trashed: false, former: new Map(), version_id });
      },
      async upload() {
        const [id, file] = chance.of(living(files)) ?? [];
        if (!id || !file) return;
        const bytes = chance.bytes();
        const { body } = await put(admin, id, bytes);
        const { version_id } = body.ok.data.file;
        if (version_id !== file.version_id && file.bytes)
          file.former.set(file.version_id, file.bytes);
        Object.assign(file, { bytes, version_id });
      },
      async copy() {
        const [id, file] = chance.of(living(files)) ?? [];
        if (!id || !file) return;
        const { result } = await act(admin, 'COPY_FILE', {
          id,
          destination_folder_id: disk.root_folder,
        });
        const { id: copy_id, version_id } = result;
        const copy = { bytes: file.bytes, is_trashed: false, former: new Map(), version_id };
        files.set(copy_id, copy);
      },
      async restoreVersion() {
        const [id, file] = chance.of(living(files)) ?? [];
        const [version_id, bytes] = chance.of(file?.former) ?? [];
        if (!id || !file || !version_id || !bytes) return;
        const payload = { id, restore_version_id: version_id };
        const { result, error } = await act(admin, 'UPDATE_FILE', payload);
        // Its retention may have ended.
        if (error?.type === 'content.gone') return void file.former.delete(version_id);
        if (error) throw new Error(error.message);
        if (file.bytes) file.former.set(file.version_id, file.bytes);
        Object.assign(file, { bytes, version_id: result.file.version_id });
      },
      async trash() {
        const [id, file] = chance.of(living(files)) ?? [];
        if (!id || !file) return;
        await act(admin, 'DELETE_FILE', { id });
        file.is_trashed = true;
      },
      async untrash() {
        const [id, file] = chance.of(new Map([...files].filter(([, one]) => one.is_trashed))) ?? [];
        if (!id || !file) return;
        const { error } = await act(admin, 'RESTORE_TRASH', { id });
        if (error) throw new Error(error.message);
        file.is_trashed = false;
      },
      async remove() {
        const [id] = chance.of(files) ?? [];
        if (!id) return;
        await act(admin, 'DELETE_FILE', { id, permanent: true });
        files.delete(id);
      },
      async retention() {
        now += chance.below(20) * DAY_MS;
        // The trash is emptied by a sweep of its own, after 30 days, which this model leaves out.
        for (const [id, file] of files) {
          if (!file.is_trashed) continue;
          await act(admin, 'RESTORE_TRASH', { id });
          file.is_trashed = false;
        }
        await sweep();
      },
    };
    const weights = { create: 4, upload: 8, copy: 3, restoreVersion: 3, trash: 2, untrash: 2 };
    const names = Object.entries({ ...weights, remove: 1, retention: 1 }).flatMap(([name, count]) =>
      Array.from({ length: count }, () => name),
    );
    for (let step = 0; step < STEPS; step++) {
      const name = names[chance.below(names.length)]!;
      said.push(name);
      await steps[name]!();
      const moment = new Map([...living(files)].map(([id, { bytes }]) => [id, bytes]));
      moments.push([await revision(), moment]);
      now += 1000;
    }

    const label = `CONTENT_SEED=${seed} CONTENT_STEPS=${STEPS}`;
    const wrong: unknown[] = [];
    for (const [id, { bytes }] of living(files)) {
      const seen = seenIn(await download(admin, id));
      if (seen !== nameOf(bytes)) wrong.push({ id, seen, bytes: nameOf(bytes) });
    }
    let deleted = 0;
    for (const [at, moment] of moments) {
      for (const [id, bytes] of moment) {
        const seen = seenIn(await download(admin, id, `?as_of=r${at}`));
        if (seen === `gone: ${nameOf(bytes)}`) deleted++;
        else if (seen !== nameOf(bytes)) wrong.push({ at, id, seen, bytes: nameOf(bytes) });
      }
    }
    expect([label, wrong]).toEqual([label, []]);
    // Only a sweep deletes.
    expect([label, said.includes('retention') || deleted === 0]).toEqual([label, true]);
  });
});

function nameOf(bytes: Buffer | null): string {
  return bytes === null ? 'none' : sha256Of(bytes);
}

/** What a download has shown: the hash of its bytes, `none`, or the hash of deleted bytes. */
function seenIn({ status, bytes, body }: RawAnswer): string {
  if (status === 200) return sha256Of(bytes);
  if (body?.err.type === 'content.none') return 'none';
  if (body?.err.type === 'content.gone')
    return `gone: ${/[0-9a-f]{64}/.exec(body.err.details[0].reason)![0]}`;
  return `${status} ${String(body?.err.type)}`;
}

function living(files: ReadonlyMap<string, ModelFile>): Map<string, ModelFile> {
  return new Map([...files].filter(([, { is_trashed }]) => !is_trashed));
}

/** Repeatable chances from a seed. */
function chances(seed: string) {
  let nth = 0;
  const below = (limit: number): number =>
    createHash('sha256').update(`${seed} ${nth++}`).digest().readUInt32BE(0) % limit;
  return {
    below,
    of<V>(entries: ReadonlyMap<string, V> | undefined): [string, V] | undefined {
      const all = [...(entries ?? [])];
      return all.length === 0 ? undefined : all[below(all.length)];
    },
    bytes(): Buffer {
      const length = [0, 1, 100, 65_535, 65_536, 65_537, 140_000][below(7)]!;
      return Buffer.alloc(length, createHash('sha256').update(`${seed} ${nth++}`).digest());
    },
  };
}
