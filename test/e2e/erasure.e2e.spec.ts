import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { flawOfConsistency, flawOfInclusion } from '../../libs/proofs/merkle.js';
import { flawOfDigest } from '../../libs/proofs/digest.js';
import { flawOfRecord } from '../../libs/proofs/record-proof.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { allIn, everythingIn, Planted } from '../support/planted.js';
import { TestService } from '../support/service.js';

const ERASED = '[erased]';
const ann = { id: 'UserID_ann' };
const eve = { id: 'UserID_eve' };
const joe = { id: 'UserID_joe' };

describe('erasing people', () => {
  const personal = new Planted();
  const log: Buffer[] = [];
  let service: TestService;
  let org: Organization;
  let bob: Client;
  /** Every point before the erasures, with what it hashed to. */
  const points: { revision: number; state_hash: string; log_root: string }[] = [];
  let digest: any;
  let proof: any;
  /** Wrapped bytes of all keys before the erasures, by key id. */
  let wrapped: Map<string, Buffer>;

  const ok = async (path: string, body: object = {}, client = org.admin): Promise<any> => {
    const { status, data, err } = await client.post(path, body);
    expect([path, status, err]).toEqual([path, 200, undefined]);
    return data;
  };
  const replay = (body: object = {}) => ok('/organization/replay', body);
  const erase = (id: string, client = org.admin) => client.post('/contacts/erase', { id });
  const fields = (of: string, nth: number) => ({
    name: personal.text(`name ${of}`),
    avatar: `https://a.example/${personal.text(`avatar ${of}`)}`,
    email: `${personal.text(`email ${of}`)}@example.com`,
    notifications_url: `https://n.example/${personal.text(`notifications ${of}`)}`,
    public_note: personal.text(`public note ${of}`),
    private_note: personal.text(`private note ${of}`),
    evm_public_address: personal.known(`address ${of}`, `0x${`${nth}c`.repeat(20)}`),
    external_id: personal.text(`external id ${of}`),
    external_payload: personal.text(`external payload ${of}`),
  });
  const wrappedKeys = (): Map<string, Buffer> => {
    const db = new DatabaseSync(join(service.data_dir, 'side.db'), { readOnly: true });
    const rows = db.prepare('SELECT key_id, wrapped FROM keys WHERE wrapped IS NOT NULL').all();
    db.close();
    return new Map(rows.map((row) => [String(row.key_id), Buffer.from(row.wrapped as Uint8Array)]));
  };
  /** Everything the API says about a point, and about now. */
  const everythingSaid = async (revision?: number): Promise<string> => {
    const point = revision === undefined ? {} : { revision };
    const all = await replay({ include: ['ALL'], page_size: 1000, ...point });
    const lists = await Promise.all(['/contacts/list', '/groups/list'].map((path) => ok(path)));
    const about = await org.admin.get('/organization/about');
    const dump = await org.admin.get('/organization/snapshot');
    return JSON.stringify([all, lists, about.body, dump.body]);
  };

  beforeAll(async () => {
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log.push(Buffer.from(chunk));
        done();
      },
    });
    service = await TestService.start(
      { LOG_LEVEL: 'trace' },
      { logger: new JsonLogger('trace', sink), limits: { snapshot_every_events: 3 } },
    );
    const { data } = await service.client().post('/v1/factory/quickstart', {
      org_name: 'Test Org',
      note: personal.text('spawn note'),
      admin: { name: personal.text('name of the first owner') },
      members: [{ name: personal.text('name of a member') }],
    });
    org = organizationOf(service.url, data);
    bob = org.members[0]!;
    await ok('/contacts/create', { ...ann, ...fields('of Ann', 1) });
    await ok('/contacts/update', { ...ann, ...fields('of Ann, changed', 2) });
    await ok('/contacts/create', { ...eve, ...fields('of Eve', 3) });
    await ok('/organization/superswap_user', {
      current_user_id: eve.id,
      new_user_id: 'UserID_eve-2',
    });
    await ok('/contacts/create', { ...joe, ...fields('of Joe', 4) });
    await ok('/contacts/delete', joe);
    await ok('/contacts/create', { ...joe, ...fields('of Joe, again', 5) });
    await ok('/contacts/delete', joe);
    const last = (await replay()).revision;
    for (let revision = 0; revision <= last; revision++) {
      const { state_hash, log_root } = await replay({ revision });
      points.push({ revision, state_hash, log_root });
    }
    digest = (await org.admin.get('/organization/digest')).data;
    proof = await ok('/organization/record_proof', { record_id: ann.id });
    wrapped = wrappedKeys();
  });
  afterAll(() => service.stop());

  it('are known before, in the present and in the past', async () => {
    expect(personal.foundIn(Buffer.from(await everythingSaid()))).not.toEqual([]);
    for (const { revision } of points) {
      const { erased_subjects } = await replay({ revision });
      expect(erased_subjects).toBe(0);
    }
  });

  it.each([
    ['nobody', { id: 'UserID_nobody' }, 404, 'contact.not-found'],
    ['an id that is none', { id: 'GroupID_1' }, 400, 'request.invalid'],
    ['no id', {}, 400, 'request.invalid'],
  ])('refuses %s', async (_, body, status, type) => {
    const answer = await org.admin.post('/contacts/erase', body);
    expect([answer.status, answer.err.type]).toEqual([status, type]);
  });

  it('is for the owner alone, and not for the owner’s own contact', async () => {
    const own = await erase(bob.user_id, bob);
    expect([own.status, own.err.type]).toEqual([403, 'permission.denied']);
    const owner = await erase(org.admin.user_id);
    expect([owner.status, owner.err.type]).toEqual([400, 'contact.owner-undeletable']);
    expect((await new Client(org.admin.base).post('/contacts/erase', ann)).status).toBe(401);
  });

  it('tries nothing for a dry run', async () => {
    const tried = await org.admin.post('/contacts/erase', ann, { 'Dry-Run': 'true' });
    expect(tried.body.ok.dry_run.events[0].type).toBe('ContactErased');
    expect(wrappedKeys().size).toBe(wrapped.size);
    expect((await org.admin.get(`/contacts/get/${ann.id}`)).data.name).not.toBe(ERASED);
  });

  it('deletes the contact and destroys all its keys, former ones included, immediately', async () => {
    const before = await replay();
    const seenThen = async () => {
      const path = `/contacts/get/${ann.id}?as_of=r${before.revision}`;
      const listed = await ok(`/contacts/list?as_of=r${before.revision}`);
      const { data } = await org.admin.get(path);
      return [data.name, listed.items.find(({ id }: any) => id === ann.id).name];
    };
    const [name, listed_name] = await seenThen();
    expect(personal.foundIn(Buffer.from(name))).toEqual(['name of Ann, changed']);
    expect(listed_name).toBe(name);
    const { status, data, headers } = await erase(ann.id);
    expect([status, data]).toEqual([200, { id: ann.id, deleted: true, erased: true }]);
    expect(Number(headers.get('Drive-Revision'))).toBe(before.revision + 1);
    expect((await org.admin.get(`/contacts/get/${ann.id}`)).status).toBe(404);
    expect(await seenThen()).toEqual([ERASED, ERASED]);
    // Eve by the id she had before, Joe deleted twice.
    for (const id of [eve.id, joe.id]) expect((await erase(id)).status).toBe(200);
    expect((await org.admin.get('/contacts/get/UserID_eve-2')).status).toBe(404);
    expect(wrapped.size - wrappedKeys().size).toBe(4);
    expect((await replay()).erased_subjects).toBe(3);
  });

  it('hands the organization over and then erases its first owner and the note it wrote', async () => {
    await service.restart({ TRANSFER_WAIT_MS: '0' });
    const base = `${service.url}/v1/drive/${org.drive_id}`;
    const [first, second] = [org.admin, bob].map((one) => new Client(base, one.token, one.user_id));
    const next_owner_id = second!.user_id;
    for (let step = 0; step < 2; step++)
      await ok('/organization/transfer_ownership', { next_owner_id }, first);
    org = { ...org, admin: second! };
    bob = second!;
    expect((await erase(first!.user_id)).status).toBe(200);
    const { state } = await replay({ include: ['organization'] });
    expect(state.organization.items[0].spawn_note).toBe(ERASED);
  });

  it('shows [erased] at every past point, for people and copies of their data', async () => {
    const member = personal.foundIn(Buffer.from(await everythingSaid()));
    // Whoever was not erased is still known.
    expect(member).toEqual(['name of a member']);
    for (const { revision } of points) {
      const said = await everythingSaid(revision);
      expect(said).toContain(ERASED);
      const found = personal.foundIn(Buffer.from(said));
      expect(found.filter((name) => name !== 'name of a member')).toEqual([]);
    }
    const { state } = await replay({ revision: points.at(-4)!.revision, include: ['contacts'] });
    const erased = state.contacts.items.find(({ id }: any) => id === ann.id);
    expect(erased).toMatchObject({ name: ERASED, email: ERASED, private_note: ERASED });
  });

  it('still tells which fields an event changed', async () => {
    const asked = { resource_id: ann.id, types: ['ContactUpdated'] };
    const [event] = (await ok('/organization/history', asked)).items;
    const change = { field: 'name', before: ERASED, after: ERASED };
    expect(event.changes).toContainEqual({ ...change, resource_id: ann.id });
    const [from, to] = [{ revision: event.revision - 1 }, { revision: event.revision }];
    const compared = await ok('/organization/compare', { from, to });
    const { fields: changes } = compared.items.find(
      ({ resource_id }: any) => resource_id === ann.id,
    );
    expect(changes).toContainEqual(change);
  });

  it('leaves state hashes, chain, log, digests and proofs as they were', async () => {
    for (const { revision, state_hash, log_root } of points)
      for (const verify of [false, true])
        expect(await replay({ revision, verify })).toMatchObject({ state_hash, log_root });
    expect(flawOfDigest(digest)).toBeNull();
    const later = (await org.admin.get(`/organization/consistency?from=${digest.size}`)).data;
    expect([flawOfConsistency(later), later.from_root]).toEqual([null, digest.log_root]);
    const event = `/organization/proof?revision=2&size=${digest.size}`;
    expect(flawOfInclusion((await org.admin.get(event)).data)).toBeNull();
    const again = { record_id: ann.id, revision: proof.revision };
    expect({ ...(await ok('/organization/record_proof', again)), at_ms: 0 }).toEqual({
      ...proof,
      at_ms: 0,
    });
    expect(flawOfRecord(proof)).toBeNull();
  });

  it('counts the people of a point who are erased since, also after a restart', async () => {
    const count = async (revision: number) => (await replay({ revision })).erased_subjects;
    const counts = [await count(0), await count(points.at(-1)!.revision)];
    expect(counts).toEqual([1, 4]);
    await service.restart();
    org = {
      ...org,
      admin: new Client(`${service.url}/v1/drive/${org.drive_id}`, org.admin.token),
    };
    expect([await count(0), await count(points.at(-1)!.revision)]).toEqual(counts);
    expect(await everythingSaid(points.at(-1)!.revision)).toContain(ERASED);
  });

  it('does nothing for an erased person, and erases a returned one again', async () => {
    const { revision } = await replay();
    expect((await erase(joe.id)).status).toBe(200);
    expect((await replay()).revision).toBe(revision);
    const name = personal.text('name of Joe, back');
    await ok('/contacts/create', { ...joe, name });
    expect((await org.admin.get(`/contacts/get/${joe.id}`)).data.name).toBe(name);
    expect((await erase(joe.id)).status).toBe(200);
    expect(await everythingSaid(revision + 1)).not.toContain(name);
  });

  it('leaves nothing of the keys in any file, nor a personal text in files or log', async () => {
    const left = wrappedKeys();
    const destroyed = [...wrapped].filter(([key_id]) => !left.has(key_id));
    expect(destroyed).toHaveLength(5);
    const search = async () => {
      const found: string[] = [];
      for await (const { where, bytes } of everythingIn(service.data_dir)) {
        for (const name of personal.foundIn(bytes)) found.push(`${name} in ${where}`);
        for (const [key_id, key] of destroyed)
          if (bytes.includes(key)) found.push(`key ${key_id} in ${where}`);
      }
      return found;
    };
    expect(await search()).toEqual([]);
    await service.restart();
    expect(await search()).toEqual([]);
    const lines = Buffer.concat(log);
    expect(lines.length).toBeGreaterThan(1000);
    expect(personal.foundIn(lines)).toEqual([]);
    // The keys that are left would be found.
    const [, kept] = [...left][0]!;
    const files = await allIn(service.data_dir);
    expect(files.some(({ bytes }) => bytes.includes(kept))).toBe(true);
  });
});
