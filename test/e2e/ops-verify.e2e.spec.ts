import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { absenceOf } from '../../libs/engine/testing/proof-documents.js';
import type { Organization } from '../support/client.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

describe('ops verify', () => {
  let service: TestService;
  let org: Organization;
  let folder: string;
  let digest: any;

  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const called = (...args: string[]) => ops(['verify', ...args]);
  const run = async (files: readonly string[], ...options: string[]) => {
    const { code, out } = await called(...files, ...options);
    const lines = out.trimEnd().replaceAll(`${folder}/`, '').split('\n');
    return { is_well: code === 0, lines };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ops-verify-'));
    service = await TestService.start();
    org = await service.organization('Bob');
    for (let at = 0; at < 10; at++) await org.admin.post('/groups/create', { name: `G ${at}` });
    digest = (await org.admin.get('/organization/digest')).body;
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('checks what the API answered, alone and against each other', async () => {
    const { body: proof } = await org.admin.get('/organization/proof?revision=2');
    const record_id = org.admin.user_id;
    const { body: record } = await org.admin.post('/organization/record_proof', { record_id });
    const files = [write('digest', digest), write('proof', proof), write('record', record)];
    const key = digest.ok.data.public_key;
    const { is_well, lines } = await run(files, '--public-key', key);
    expect(is_well).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^ok {3}digest: digest of DriveID_.+: signed with the given key$/),
      expect.stringMatching(
        /^ok {3}proof: event 2 in the log of DriveID_\S+ of size \d+: leads to its log_root/,
      ),
      expect.stringMatching(
        /^ok {3}record: presence of contacts UserID_.+: leads to its state_hash/,
      ),
      'ok   proof: its log_root is that of the digest digest',
      'ok   record: its state_hash is that of the digest digest',
    ]);
    const wrong = await run([write('proof', { ...proof.ok.data, revision: 3 })]);
    expect(wrong).toMatchObject({
      is_well: false,
      lines: [expect.stringMatching(/^BAD {2}proof/)],
    });
    expect((await run(files, '--public-key', Buffer.alloc(32, 1).toString('base64'))).is_well).toBe(
      false,
    );
  });

  it('takes no absence from another family for that of a record', async () => {
    const place = { drive_id: org.drive_id, revision: 1, record_id: org.admin.user_id };
    const proof = write('absent', absenceOf({ ...place, family: 'labels' }));
    expect(await run([proof])).toEqual({
      is_well: false,
      lines: [
        `BAD  absent: absence of labels ${place.record_id} in ${place.drive_id} at revision 1: ${place.record_id} is an id of contacts, not of labels`,
      ],
    });
  });

  it('verifies the folder of a running service, and writes nothing to it', async () => {
    const before = readdirSync(service.data_dir).toSorted();
    const { is_well, lines } = await run([write('digest', digest)], '--data-dir', service.data_dir);
    expect(is_well).toBe(true);
    expect(lines.slice(1).toSorted()).toEqual([
      expect.stringMatching(
        /^ok {3}DriveID_.+: \d+ events, all hashes, keys, snapshots and the index of events fit\.$/,
      ),
      expect.stringMatching(/^ok {3}factory: 1 events, /),
    ]);
    expect(readdirSync(service.data_dir).toSorted()).toEqual(before);
    const one = await run([], '--data-dir', service.data_dir, '--drive', org.drive_id);
    expect(one.lines).toHaveLength(1);
  });

  it('names what was tampered with, and the first bad revision', async () => {
    const db = new DatabaseSync(join(service.data_dir, 'events.db'), { timeout: 5000 });
    const change = (from: string, to: string) =>
      db
        .prepare('UPDATE events SET data = replace(data, ?, ?) WHERE revision = 7 AND data LIKE ?')
        .run(from, to, `%${from}%`);
    expect(change('"name":"G', '"name":"H').changes).toBe(1);
    const { is_well, lines } = await run([], '--data-dir', service.data_dir);
    change('"name":"H', '"name":"G');
    db.close();
    expect(is_well).toBe(false);
    expect(lines.filter((line) => line.startsWith('BAD'))).toEqual([
      `BAD  ${org.drive_id}: Revision 7: its hash does not match its content. First bad revision: 7.`,
    ]);
  });

  it('creates no missing key', async () => {
    const { code, err } = await called('--data-dir', folder);
    expect([code, err]).toEqual([3, expect.stringContaining('master.key does not exist')]);
    expect(readdirSync(folder)).not.toContain('master.key');
  });

  it('takes no file for an organization', async () => {
    const file = write('digest', digest);
    const env = { DATA_DIR: service.data_dir };
    const good = await ops(['verify', '--drive', org.drive_id, file], env);
    expect(good).toMatchObject({ code: 0, err: '' });
    expect(good.out).toMatch(
      /^ok {3}\S+digest: digest of DriveID_.*\nok {3}DriveID_\S+: \d+ events, .*\n$/,
    );
    const bad = write('bad', { ...digest.ok.data, log_root: '0'.repeat(64) });
    const found = await ops(['verify', '--drive', org.drive_id, bad], env);
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(/^BAD {2}\S+bad: /)]);
    const two = await ops(['verify', '--drive', org.drive_id, '--drive', 'factory'], env);
    expect(two.out.match(/^ok {3}/gm)).toHaveLength(2);
  });

  it('ends with 1 for an organization that the stores do not hold', async () => {
    const env = { DATA_DIR: service.data_dir };
    expect(await ops(['verify', '--drive', 'DriveID_nope'], env)).toMatchObject({
      code: 1,
      out: 'BAD  DriveID_nope: It has no events here.\n',
    });
    const other = await ops(['verify', '--drive', 'factory', write('digest', digest)], env);
    expect([other.code, other.out.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      `BAD  ${org.drive_id}: There is a digest of it, but it was not verified.`,
    ]);
  });

  it('says so and exits with 1 if there was nothing to check', async () => {
    const empty = await TestService.start({ EVENT_STORE: 'sqlite' });
    const env = { DATA_DIR: empty.data_dir };
    expect(await ops(['verify'], env)).toEqual({
      code: 1,
      out: '',
      err: 'Nothing was checked: the stores hold no events.\n',
    });
    await empty.stop();
  });

  it('takes the stores of the environment where no files are named', async () => {
    const { code, out } = await ops(['verify'], { DATA_DIR: service.data_dir });
    expect([code, out]).toEqual([0, expect.stringMatching(/^ok {3}factory: 1 events, /)]);
    const MASTER_KEY = '0'.repeat(64);
    const servers = { EVENT_STORE: 'kurrentdb', MONGODB_URL: 'mongodb://127.0.0.1:9', MASTER_KEY };
    expect(await ops(['verify'], servers)).toEqual({
      code: 3,
      out: '',
      err: expect.stringContaining('KURRENTDB_URL must be set, since EVENT_STORE is "kurrentdb".'),
    });
  });

  it('sets the exit code', async () => {
    const good = write('digest', digest);
    expect(await called(good)).toMatchObject({ code: 0, err: '' });
    const bad = write('bad', { ...digest.ok.data, revision: 1, size: 2 });
    const err = 'A problem was found: the lines above that begin with BAD or OMITTED name it.\n';
    expect(await called(good, bad)).toMatchObject({ code: 1, err });
    const malformed = await called(good, '--public-key', 'x');
    expect([malformed.code, malformed.err]).toEqual([
      2,
      expect.stringContaining('base64 of 32 bytes'),
    ]);
    const missing = await called(join(folder, 'missing'));
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('ENOENT')]);
    const json = await called(good, bad, '--json');
    expect(JSON.parse(json.out).findings.map(({ ok }: { ok: boolean }) => ok)).toEqual([
      true,
      false,
    ]);
  });
});
