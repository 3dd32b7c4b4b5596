import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadMasterKey, openSqliteStores } from '../../libs/event-store/sqlite/index.js';
import { type StreamReport, verifyFolder } from '../../libs/engine/verify/folder.js';
import type { Digest } from '../../libs/proofs/digest.js';
import type { Organization } from '../support/client.js';
import { TestService } from '../support/service.js';

const BAD = 300;
const AT_BAD = /^300$/;

describe('a data folder verified without a server', () => {
  let service: TestService;
  let org: Organization;
  let digest: Digest;
  let last: number;
  const folders: string[] = [];

  beforeAll(async () => {
    service = await TestService.start({}, { limits: { snapshot_every_events: 200 } });
    org = await service.organization('Bob');
    await service.organization();
    for (let round = 0; round < 8; round++)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) =>
          org.admin.post('/contacts/create', { id: `UserID_${round}-${at}`, name: `N ${at}` }),
        ),
      );
    // Tiles are written behind; a proof needs them.
    await org.admin.get('/organization/proof?revision=0');
    digest = (await org.admin.get('/organization/digest')).data;
    last = digest.revision;
    await service.server.close();
  });
  afterAll(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true });
    await service.stop();
  });

  /** A copy of the folder, tampered with. */
  const copyWith = (file?: string, ...statements: readonly string[]): string => {
    const folder = mkdtempSync(join(tmpdir(), 'offline-'));
    folders.push(folder);
    cpSync(service.data_dir, folder, { recursive: true });
    if (!file) return folder;
    const db = new DatabaseSync(join(folder, file));
    for (const sql of statements)
      db.exec(
        sql.replaceAll(
          'MINE',
          file === 'events.db'
            ? `stream_id = (SELECT id FROM streams WHERE name = 'drive-${org.drive_id}')`
            : `drive_id = '${org.drive_id}'`,
        ),
      );
    db.close();
    return folder;
  };

  const verify = async (folder: string, digests: readonly Digest[] = []) => {
    const before = readdirSync(folder).filter((file) => !/-(wal|shm)$/.test(file));
    const master_key = loadMasterKey(folder);
    const stores = openSqliteStores({ data_dir: folder, master_key, read_only: true });
    try {
      const reports: StreamReport[] = [];
      for await (const report of verifyFolder({ ...stores, digests })) reports.push(report);
      expect(readdirSync(folder).filter((file) => !/-(wal|shm)$/.test(file))).toEqual(before);
      return reports;
    } finally {
      await stores.close();
    }
  };
  const verdict = async (folder: string, digests?: readonly Digest[]) =>
    (await verify(folder, digests)).find(({ drive_id }) => drive_id === org.drive_id);

  it('is found well: the factory and every organization', async () => {
    const reports = await verify(copyWith(), [digest]);
    expect(reports).toHaveLength(3);
    for (const report of reports)
      expect(report).toMatchObject({ valid: true, reason: null, drift_documents: 0 });
    expect(reports.map(({ drive_id }) => drive_id)).toContain('factory');
    expect(await verdict(copyWith())).toMatchObject({ checked_events: last + 1 });
  });

  it.each<[string, RegExp, string, ...string[]]>([
    [
      'a changed byte',
      AT_BAD,
      'events.db',
      `UPDATE events SET data = replace(data, 'N 1', 'N 2') || ' ' WHERE MINE AND revision = ${BAD}`,
    ],
    ['a deleted event', AT_BAD, 'events.db', `DELETE FROM events WHERE MINE AND revision = ${BAD}`],
    [
      'an inserted event',
      AT_BAD,
      'events.db',
      `UPDATE events SET revision = revision + 1000000 WHERE MINE AND revision >= ${BAD}`,
      `UPDATE events SET revision = revision - 999999 WHERE MINE AND revision >= 1000000`,
      `INSERT INTO events SELECT 1000000, stream_id, ${BAD}, event_id, type_id, version, timestamp_ms,
         metadata, data, hash FROM events WHERE MINE AND revision = ${BAD - 1}`,
    ],
    [
      'two events in another order',
      AT_BAD,
      'events.db',
      `UPDATE events SET revision = 1000000 WHERE MINE AND revision = ${BAD}`,
      `UPDATE events SET revision = ${BAD} WHERE MINE AND revision = ${BAD + 1}`,
      `UPDATE events SET revision = ${BAD + 1} WHERE MINE AND revision = 1000000`,
    ],
    [
      'an end cut off, as snapshots know',
      /^250$/,
      'events.db',
      `DELETE FROM events WHERE MINE AND revision >= 250`,
    ],
    [
      'a key of another person',
      /^0$/,
      'side.db',
      `UPDATE keys SET wrapped = (SELECT wrapped FROM keys WHERE key_id = 'drive' AND MINE)
       WHERE MINE AND key_id != 'drive'`,
    ],
    [
      'a snapshot of another past',
      /^\d+$/,
      'snapshots.db',
      `UPDATE snapshots SET event_hash = zeroblob(32) WHERE MINE`,
    ],
    [
      'an unreadable snapshot',
      /^\d+$/,
      'snapshots.db',
      `UPDATE snapshots SET body = x'00' WHERE MINE`,
    ],
  ])('with %s is found out', async (_, revision, file, ...statements) => {
    const found = await verdict(copyWith(file, ...statements));
    expect(found).toMatchObject({ valid: false });
    expect(found!.reason).toMatch(/\.$/);
    expect(String(found!.first_bad_revision)).toMatch(revision);
  });

  it('with its end cut off and all caches deleted is detected by a digest', async () => {
    const cut = copyWith('events.db', `DELETE FROM events WHERE MINE AND revision >= 250`);
    for (const cache of ['snapshots.db', 'tiles.db', 'index.db']) rmSync(join(cut, cache));
    expect(await verdict(cut)).toMatchObject({ valid: true });
    expect(await verdict(cut, [digest])).toMatchObject({
      valid: false,
      first_bad_revision: 250,
      reason: `The stream ends before revision ${last}, which the digest names.`,
    });
  });

  it('leaves the streams of others out of it', async () => {
    const reports = await verify(
      copyWith('events.db', `DELETE FROM events WHERE MINE AND revision = 0`),
    );
    expect(reports.map(({ valid }) => valid).toSorted()).toEqual([false, true, true]);
  });
});
