import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SigningKey } from '../../libs/application/proofs/digest.js';
import { packSections, unpackSections } from '../../libs/engine/snapshots/snapshot-sections.js';
import { signedText } from '../../libs/proofs/digest.js';
import { checkpointText, signedNote } from '../../libs/proofs/note.js';
import { Client, type Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

/** Revision that is tampered with: of an event with sealed fields. */
const BAD = 9;

describe('verify', () => {
  let service: TestService;
  let org: Organization;
  let digest: any;
  let last: number;
  const secret = Buffer.alloc(32, 5);
  const key = new SigningKey(secret);

  beforeAll(async () => {
    service = await TestService.start(
      { SIGNING_KEY: secret.toString('hex') },
      { limits: { snapshot_every_events: 10 } },
    );
    org = await service.organization('Bob');
    while ((await head()) < BAD - 1) await org.admin.post('/groups/create', { name: 'Group' });
    for (let at = 0; at < 12; at++)
      await org.admin.post('/contacts/create', { id: `UserID_${at}`, name: `Contact ${at}` });
    digest = (await org.admin.get('/organization/digest')).data;
    await org.admin.post('/groups/create', { name: 'After the digest' });
    last = await head();
  });
  afterAll(() => service.stop());

  const head = async (): Promise<number> =>
    Number((await org.admin.get('/organization/whoami')).headers.get('Drive-Revision'));
  const verify = async (body: object = {}): Promise<any> => {
    const { status, data, err } = await org.admin.post('/organization/verify', body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  /** Opens a database of the running service behind its back. */
  const within = <T>(file: string, task: (db: DatabaseSync) => T): T => {
    const db = new DatabaseSync(join(service.data_dir, file), { timeout: 5000 });
    try {
      return task(db);
    } finally {
      db.close();
    }
  };
  const where = `stream_id = (SELECT id FROM streams WHERE name = 'drive-' || ?)`;
  /** Tampers with the events, asks, and puts everything back. */
  const tampered = async (statements: readonly string[], body: object = {}): Promise<any> => {
    const rows = within('events.db', (db) => {
      const found = db.prepare(`SELECT * FROM events WHERE ${where}`).all(org.drive_id);
      for (const sql of statements)
        db.prepare(sql.replace('MINE', where)).run(...(sql.includes('MINE') ? [org.drive_id] : []));
      return found;
    });
    try {
      return await verify(body);
    } finally {
      within('events.db', (db) => {
        db.prepare(`DELETE FROM events WHERE ${where} OR stream_id = 999`).run(org.drive_id);
        const columns = Object.keys(rows[0]!);
        const insert = db.prepare(
          `INSERT INTO events (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
        );
        for (const row of rows) insert.run(...(Object.values(row) as string[]));
      });
    }
  };

  it('finds nothing where all is well, with a digest and without', async () => {
    const well = {
      drive_id: org.drive_id,
      valid: true,
      first_bad_revision: null,
      reason: null,
      drift_documents: 0,
    };
    for (const body of [{}, { digest }, { digest: null }])
      expect(await verify(body)).toMatchObject({
        ...well,
        checked_events: last + 1,
        revision: last,
      });
  });

  it.each([
    ['a byte of the body', `UPDATE events SET data = replace(data, 'UserID_', 'UserIE_')`],
    ['a byte of a sealed box', `UPDATE events SET data = replace(data, '"box":"', '"box":"A')`],
    ['the metadata', `UPDATE events SET metadata = replace(metadata, 'OWNER', 'SELF')`],
    ['the type', `UPDATE events SET type_id = type_id - 1`],
    ['the version', `UPDATE events SET version = version + 1`],
    ['the time', `UPDATE events SET timestamp_ms = timestamp_ms + 1`],
    ['the id', `UPDATE events SET event_id = 'another'`],
    ['the hash', `UPDATE events SET hash = zeroblob(32)`],
    ['the event, which is deleted', `DELETE FROM events`],
    ['the event, which is given to another stream', `UPDATE events SET stream_id = 999`],
  ])('finds a change of %s, and where', async (_, change) => {
    const found = await tampered([`${change} WHERE MINE AND revision = ${BAD}`]);
    expect(found).toMatchObject({
      valid: false,
      checked_events: BAD,
      first_bad_revision: BAD,
      drift_documents: null,
    });
    expect(found.reason).toMatch(new RegExp(`^Revision ${BAD}: .+\\.$`));
  });

  it('finds events in another order', async () => {
    const swap = [
      `UPDATE events SET revision = 100000 WHERE MINE AND revision = ${BAD}`,
      `UPDATE events SET revision = ${BAD} WHERE MINE AND revision = ${BAD + 1}`,
      `UPDATE events SET revision = ${BAD + 1} WHERE MINE AND revision = 100000`,
    ];
    expect(await tampered(swap)).toMatchObject({ valid: false, first_bad_revision: BAD });
  });

  it('finds an event put in between', async () => {
    const columns = 'stream_id, event_id, type_id, version, timestamp_ms, metadata, data, hash';
    const insert = [
      `UPDATE events SET revision = revision + 100000 WHERE MINE AND revision >= ${BAD}`,
      `UPDATE events SET revision = revision - 99999 WHERE MINE AND revision >= 100000`,
      `INSERT INTO events (position, revision, ${columns})
       SELECT 1000000, ${BAD}, ${columns} FROM events WHERE MINE AND revision = ${BAD - 1}`,
    ];
    expect(await tampered(insert)).toMatchObject({ valid: false, first_bad_revision: BAD });
  });

  it('detects a missing end, and names the first missing revision', async () => {
    const found = await tampered([`DELETE FROM events WHERE MINE AND revision > ${BAD}`]);
    expect(found).toMatchObject({
      valid: false,
      checked_events: BAD + 1,
      first_bad_revision: BAD + 1,
    });
    expect(found.reason).toBe(`The stream ends before revision ${last}, which was acknowledged.`);
    const all = await tampered([`DELETE FROM events WHERE MINE`]);
    expect(all).toMatchObject({
      valid: false,
      checked_events: 0,
      revision: -1,
      first_bad_revision: 0,
    });
  });

  it('finds a key that was swapped for another', async () => {
    const swap = `
      UPDATE keys SET wrapped = (
        SELECT wrapped FROM keys AS other WHERE other.drive_id = keys.drive_id AND other.key_id = 'drive'
      ) WHERE key_id = ?`;
    const key_id = JSON.parse(
      String(
        within('events.db', (db) =>
          db
            .prepare(`SELECT data FROM events WHERE ${where} AND revision = ${BAD}`)
            .get(org.drive_id),
        )!.data,
      ),
    ).subject_key_id;
    const before = within('side.db', (db) => {
      const row = db.prepare('SELECT wrapped FROM keys WHERE key_id = ?').get(key_id)!;
      db.prepare(swap).run(key_id);
      return row.wrapped as Uint8Array;
    });
    const found = await verify();
    within('side.db', (db) =>
      db.prepare('UPDATE keys SET wrapped = ? WHERE key_id = ?').run(before, key_id),
    );
    expect(found).toMatchObject({ valid: false, first_bad_revision: BAD });
    expect(found.reason).toContain(key_id);
  });

  it('finds a document of the read model that was changed', async () => {
    const { state } = await service.server.drives.open(org.drive_id);
    const group = [...state.groups.values()].at(-1)!;
    // The embedded read model shows the live state, so that is what is tampered with.
    state.groups.restore(group.id, { ...group, name: 'Tampered with' });
    const found = await verify();
    state.groups.restore(group.id, group);
    expect(found).toMatchObject({
      valid: false,
      checked_events: last + 1,
      first_bad_revision: group.revision,
      drift_documents: 1,
    });
    expect(found.reason).toMatch(/^1 documents of the read model differ from the fold/);
    expect(await verify()).toMatchObject({ valid: true });
  });

  it.each([
    [`UPDATE recent SET terms = ',"type Nothing"'`],
    [`UPDATE recent SET terms = 'no terms'`],
    ['DELETE FROM recent'],
    ['UPDATE buckets SET terms = substr(terms, 1, 30)'],
    ['DELETE FROM buckets'],
    [`UPDATE reasons SET reason = 'another'`],
  ])('finds an index of events that was changed: %s', async (sql) => {
    const { drives } = service.server;
    const drive = drives.loaded(org.drive_id)!;
    const reason = { 'audit-reason': 'a reason' };
    // More than are in a block.
    do await org.admin.post('/groups/create', { name: 'Another' }, reason);
    while (drive.head.revision < 150);
    await drives.indexer.storedUpTo(org.drive_id, drive.head.revision);
    within('index.db', (db) => db.exec(sql));
    const found = await verify();
    expect(found).toMatchObject({
      ...{ valid: false, first_bad_revision: expect.any(Number), drift_documents: 1 },
      reason: expect.stringContaining('The index of events'),
    });
    expect((await org.admin.post('/organization/reindex')).status).toBe(200);
    expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
  });

  it('finds a snapshot that was changed', async () => {
    const snapshot = within('snapshots.db', (db) =>
      db.prepare('SELECT * FROM snapshots WHERE drive_id = ? LIMIT 1').get(org.drive_id),
    )!;
    const put = (body: Uint8Array, hash = snapshot.event_hash as Uint8Array) =>
      within('snapshots.db', (db) =>
        db
          .prepare(
            'UPDATE snapshots SET body = ?, event_hash = ? WHERE drive_id = ? AND revision = ?',
          )
          .run(body, hash, org.drive_id, snapshot.revision!),
      );
    const body = snapshot.body as Uint8Array;
    const texts = (await unpackSections(body)).map((section) => section.toString('latin1'));
    const packed = (from: string, to: string): Promise<Uint8Array> =>
      packSections(texts.map((text) => [Buffer.from(text.replace(from, to), 'latin1')]));
    expect(texts.join()).toContain('Group for All');
    const changes: [Uint8Array, RegExp, Uint8Array?][] = [
      [await packed('Group for All', 'Group for Any'), /differs from the fold/],
      [await packed('"size":', '"size":1'), /differs from the fold/],
      [Buffer.from('no snapshot'), /cannot be read/],
      [body, /is of a diverging history/, new Uint8Array(32)],
    ];
    for (const [changed, reason, hash] of changes) {
      put(changed, hash);
      const found = await verify().finally(() => put(body));
      expect(found).toMatchObject({
        valid: false,
        first_bad_revision: snapshot.revision,
        drift_documents: 1,
      });
      expect(found.reason).toMatch(reason);
    }
    expect(await verify()).toMatchObject({ valid: true });
  });

  it('says when the stream no longer contains a digest', async () => {
    const { revision } = digest;
    const found = await tampered([`DELETE FROM events WHERE MINE AND revision > ${revision - 3}`], {
      digest,
    });
    expect(found).toMatchObject({ valid: false, first_bad_revision: revision - 2 });
    const later = (await org.admin.get('/organization/digest')).data;
    expect(await verify({ digest: later })).toMatchObject({ valid: true });
    const other = { ...digest, chain_hash: later.chain_hash };
    expect(await verify({ digest: other })).toMatchObject({
      valid: false,
      reason: 'The digest is invalid: its signature is invalid.',
    });
  });

  /** The members signed as a digest of that key. */
  const signedWith = (by: SigningKey, members: any) => {
    const [origin] = digest.checkpoint.split('\n', 1);
    const root = Buffer.from(members.log_root, 'hex');
    const checkpoint = checkpointText({ origin, size: members.size, root });
    const named = { ...members, public_key: by.public_key.toString('base64') };
    return {
      ...named,
      signature: by.sign(signedText(named)).toString('base64'),
      checkpoint: signedNote(checkpoint, origin, by.public_key, by.sign(checkpoint)),
    };
  };

  it('says whether a digest is signed with the key of this installation', async () => {
    expect((await verify()).digest_signed_here).toBeNull();
    const own = (await org.admin.get('/organization/digest')).data;
    expect(await verify({ digest: own })).toMatchObject({ valid: true, digest_signed_here: true });
    const other = signedWith(new SigningKey(randomBytes(32)), own);
    expect(await verify({ digest: other })).toMatchObject({
      ...{ valid: true, digest_signed_here: false },
    });
  });

  it('says when a digest, though signed, is of another past or another organization', async () => {
    const org_2 = await service.organization();
    const foreign = (await org_2.admin.get('/organization/digest')).data;
    expect(await verify({ digest: foreign })).toMatchObject({
      valid: false,
      first_bad_revision: null,
      reason: 'The digest is of another organization.',
    });
    // As a stream that was rewritten would have it: it fits itself, but not what was signed before.
    const lie = {
      log_root: digest.chain_hash,
      chain_hash: digest.log_root,
      state_hash: '0'.repeat(64),
    };
    for (const [name, value] of Object.entries(lie)) {
      const found = await verify({ digest: signedWith(key, { ...digest, [name]: value }) });
      expect(found).toMatchObject({
        valid: false,
        digest_signed_here: true,
        first_bad_revision: digest.revision,
        reason: `The stream no longer has the ${name} of the digest.`,
      });
    }
  });

  it.each([
    [{ digest: 'x' }],
    [{ digest: {} }],
    [{ digest: { drive_id: 'DriveID_x', revision: 1, size: 3 } }],
  ])('refuses %j', async (body) => {
    const answer = await org.admin.post('/organization/verify', body);
    expect([answer.status, answer.err.type]).toEqual([400, 'request.invalid']);
    expect(answer.err.details[0].pointer).toBe('/digest');
  });

  it('runs during commands', async () => {
    const busy = Array.from({ length: 40 }, (_, at) =>
      org.admin.post('/groups/create', { name: `Meanwhile ${at}` }),
    );
    const [found] = await Promise.all([verify({ digest }), ...busy]);
    expect(found).toMatchObject({ valid: true, reason: null, drift_documents: 0 });
  });

  it('is for the owner and for VIEW on AUDIT alone', async () => {
    const [bob] = org.members;
    const refused = await bob!.post('/organization/verify');
    expect([refused.status, refused.err.type]).toEqual([403, 'permission.denied']);
    expect((await new Client(org.admin.base).post('/organization/verify')).status).toBe(401);
    await given(service, org, granted(org, bob!.user_id, 'TABLE_AUDIT', 'VIEW'));
    expect((await bob!.post('/organization/verify')).data.valid).toBe(true);
  });

  it('is not needed for a gap: such an organization is not served, and no other suffers', async () => {
    const other = await service.organization();
    within('snapshots.db', (db) => db.exec('DELETE FROM snapshots'));
    within('events.db', (db) =>
      db.prepare(`DELETE FROM events WHERE ${where} AND revision = ${BAD}`).run(org.drive_id),
    );
    await service.restart();
    const about = async ({ drive_id, admin }: Organization) =>
      new Client(`${service.url}/v1/drive/${drive_id}`, admin.token).get('/organization/whoami');
    const answer = await about(org);
    expect([answer.status, answer.err.type]).toEqual([503, 'drive.broken']);
    expect((await about(other)).status).toBe(200);
  });
});
