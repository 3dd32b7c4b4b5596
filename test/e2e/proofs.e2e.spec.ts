import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { flawOfDigest, parseDigest } from '../../libs/proofs/digest.js';
import { leafHash, nodeHash, sha256 } from '../../libs/proofs/hashes.js';
import { flawOfConsistency, flawOfInclusion } from '../../libs/proofs/merkle.js';
import { flawOfRecord } from '../../libs/proofs/record-proof.js';
import { privateKeyOf, rawPublicKey } from '../../libs/identity/ed25519.js';
import { Client, type Organization } from '../support/client.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

/** RFC 6962's tree hash over leaf data. */
function treeHash(data: readonly Buffer[]): Buffer {
  if (data.length === 0) return sha256();
  if (data.length === 1) return leafHash(data[0]!);
  let split = 1;
  while (split * 2 < data.length) split *= 2;
  return nodeHash(treeHash(data.slice(0, split)), treeHash(data.slice(split)));
}

const log2 = (n: number): number => Math.ceil(Math.log2(n));

describe('proofs over HTTP', () => {
  let service: TestService;
  let org: Organization;
  let bob: Client;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    bob = org.members[0]!;
    for (let at = 0; at < 40; at++) await org.admin.post('/groups/create', { name: `G ${at}` });
  });
  afterAll(() => service.stop());

  const ask = async (path: string): Promise<any> => {
    const { status, data, err } = await org.admin.get(`/organization/${path}`);
    expect([path, status, err]).toEqual([path, 200, undefined]);
    return data;
  };
  const proveRecord = async (body: object): Promise<any> => {
    const { status, data, err } = await org.admin.post('/organization/record_proof', body);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const replay = async (body: object = {}): Promise<any> =>
    (await org.admin.post('/organization/replay', body)).data;

  describe('digest', () => {
    it('says what replay says, signed by the key of the installation', async () => {
      const digest = await ask('digest');
      const now = await replay();
      expect(digest).toMatchObject({
        drive_id: org.drive_id,
        revision: now.revision,
        size: now.revision + 1,
        chain_hash: now.chain_hash,
        log_root: now.log_root,
        state_hash: now.state_hash,
        state_version: now.state_version,
        timestamp_ms: expect.any(Number),
      });
      expect(flawOfDigest(parseDigest(digest))).toBeNull();
      const [origin, size, root, empty, line] = digest.checkpoint.split('\n');
      expect(origin).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+/v1/drive/${org.drive_id}$`));
      expect([size, empty]).toEqual([String(digest.size), '']);
      expect(root).toBe(Buffer.from(digest.log_root, 'hex').toString('base64'));
      expect(line.startsWith(`— ${origin} `)).toBe(true);
    });

    it('is found out when a member is changed', async () => {
      const digest = await ask('digest');
      const other = (await ask('proof?revision=0&size=1')).log_root;
      const changes = [
        { revision: digest.revision + 1, size: digest.size + 1 },
        { chain_hash: other },
        { log_root: other },
        { state_hash: null },
        { state_version: 2 },
        { timestamp_ms: digest.timestamp_ms + 1 },
        { drive_id: 'DriveID_another' },
        { checkpoint: digest.checkpoint.replace('127', '128') },
        { checkpoint: digest.checkpoint.replace(`\n${digest.size}\n`, '\n1\n') },
        { public_key: Buffer.alloc(32, 1).toString('base64') },
      ];
      for (const change of changes)
        expect(flawOfDigest(parseDigest({ ...digest, ...change }))).not.toBeNull();
      expect(flawOfDigest(digest, Buffer.alloc(32, 1))).toBe('it is signed with another key');
    });

    it('keeps key and origin over a restart; the key is in a file that only its owner can read', async () => {
      const before = await ask('digest');
      await service.restart();
      org = {
        ...org,
        admin: new Client(`${service.url}/v1/drive/${org.drive_id}`, org.admin.token),
      };
      bob = new Client(org.admin.base, bob.token);
      const after = await ask('digest');
      expect(after.public_key).toBe(before.public_key);
      expect(after.checkpoint).toBe(before.checkpoint);
      const path = join(service.data_dir, 'signing.key');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const secret = readFileSync(path, 'utf8').trim();
      expect(JSON.stringify(after)).not.toContain(secret);
    });

    it('of an earlier revision says what replay says of it, and covers record proofs of it', async () => {
      const { revision: last } = await replay();
      for (const revision of [0, 5, 30, last]) {
        const then = await replay({ revision });
        const digest = await ask(`digest?revision=${revision}`);
        expect(digest).toMatchObject({
          ...{ drive_id: org.drive_id, revision, size: revision + 1 },
          ...{ chain_hash: then.chain_hash, state_hash: then.state_hash },
          log_root: (await ask(`proof?revision=0&size=${revision + 1}`)).log_root,
        });
        expect(flawOfDigest(parseDigest(digest))).toBeNull();
        const proof = await proveRecord({ record_id: org.drive_id, family: 'drives', revision });
        expect(proof.state_hash).toBe(digest.state_hash);
      }
      const { status, err } = await org.admin.get(`/organization/digest?revision=${last + 1}`);
      expect([status, err.details[0].pointer]).toEqual([404, '/revision']);
      for (const wrong of ['-1', 'x', ''])
        expect((await org.admin.get(`/organization/digest?revision=${wrong}`)).status).toBe(400);
      expect((await bob.get('/organization/digest?revision=1')).status).toBe(403);
    });

    it('is signed with the configured key where there is one', async () => {
      const secret = Buffer.alloc(32, 7);
      const other = await TestService.start({ SIGNING_KEY: secret.toString('hex') });
      try {
        const { admin } = await other.organization();
        const { data } = await admin.get('/organization/digest');
        expect(flawOfDigest(data, rawPublicKey(privateKeyOf(secret)))).toBeNull();
      } finally {
        await other.stop();
      }
    });
  });

  describe('proof of an event', () => {
    it('leads every event to the root, in the current tree and in every smaller one', async () => {
      const { revision: last, log_root } = await replay();
      for (let revision = 0; revision <= last; revision++) {
        const proof = await ask(`proof?revision=${revision}`);
        expect(proof).toMatchObject({ drive_id: org.drive_id, revision, size: last + 1, log_root });
        expect(flawOfInclusion(proof)).toBeNull();
        expect(proof.path.length).toBeLessThanOrEqual(log2(last + 1));
        const then = await replay({ revision });
        expect(proof.event_hash).toBe(then.chain_hash);
        const newest = await ask(`proof?revision=${revision}&size=${revision + 1}`);
        expect(newest.log_root).toBe(then.log_root);
        expect(flawOfInclusion(newest)).toBeNull();
      }
    });

    it('proves nothing once any part of it is changed', async () => {
      const proof = await ask('proof?revision=7&size=30');
      const other = proof.path[0];
      for (const change of [
        { revision: 8 },
        { event_hash: other },
        { log_root: other },
        { path: proof.path.slice(1) },
        { path: [...proof.path, other] },
        { path: proof.path.toReversed() },
      ])
        expect(flawOfInclusion({ ...proof, ...change })).not.toBeNull();
    });

    it.each([
      ['proof', 400, 'request.invalid'],
      ['proof?revision=x', 400, 'request.invalid'],
      ['proof?revision=-1', 400, 'request.invalid'],
      ['proof?revision=100000', 404, 'point.out-of-range'],
      ['proof?revision=0&size=0', 404, 'point.out-of-range'],
      ['proof?revision=5&size=5', 404, 'point.out-of-range'],
      ['proof?revision=5&size=100000', 404, 'point.out-of-range'],
      ['consistency', 400, 'request.invalid'],
      ['consistency?from=1.5', 400, 'request.invalid'],
      ['consistency?from=0', 404, 'point.out-of-range'],
      ['consistency?from=6&to=5', 404, 'point.out-of-range'],
      ['consistency?from=1&to=100000', 404, 'point.out-of-range'],
    ])('%s is %i', async (path, status, type) => {
      const answer = await org.admin.get(`/organization/${path}`);
      expect([answer.status, answer.err.type]).toEqual([status, type]);
    });
  });

  describe('proof of consistency', () => {
    it('leads from every earlier root to every later one', async () => {
      const last = (await replay()).revision + 1;
      for (let from = 1; from <= last; from += 5)
        for (const to of [from, from + 1, last].filter((size) => size <= last)) {
          const proof = await ask(`consistency?from=${from}&to=${to}`);
          expect(proof).toMatchObject({ drive_id: org.drive_id, from, to });
          expect(flawOfConsistency(proof)).toBeNull();
          expect(proof.from_root).toBe((await replay({ revision: from - 1 })).log_root);
          expect(proof.path.length).toBeLessThanOrEqual(log2(to) + 1);
        }
      const { to, to_root } = await ask('consistency?from=3');
      expect([to, to_root]).toEqual([last, (await replay()).log_root]);
      const proof = await ask('consistency?from=3&to=20');
      expect(flawOfConsistency({ ...proof, from_root: proof.to_root })).not.toBeNull();
    });
  });

  describe('proof of a record', () => {
    it('leads every current and past record to the state_hash of its point', async () => {
      for (const revision of [2, 20, (await replay()).revision]) {
        const { state, state_hash } = await replay({ revision, include: ['ALL'] });
        const ids = Object.entries<any>(state).flatMap(([family, { items }]) =>
          items.map(({ id, slug }: any) => ({ family, record_id: id ?? slug })),
        );
        expect(ids.length).toBeGreaterThan(5);
        for (const { family, record_id } of ids) {
          const proof = await proveRecord({ record_id, family, revision });
          expect(proof).toMatchObject({ exists: true, family, revision, state_hash });
          expect([record_id, flawOfRecord(proof)]).toEqual([record_id, null]);
        }
      }
    });

    it('proves by its neighbours that a record was not there', async () => {
      const { state, revision } = await replay({ include: ['groups'], page_size: 50 });
      const youngest = state.groups.items.at(-1).id;
      for (const body of [
        { record_id: youngest, revision: revision - 1 },
        ...Array.from({ length: 30 }, (_, at) => ({ record_id: `GroupID_absent-${at}` })),
      ]) {
        const proof = await proveRecord(body);
        expect(proof).toMatchObject({ exists: false, record: null, leaf: null, family: 'groups' });
        expect(flawOfRecord(proof)).toBeNull();
        const then = await replay('revision' in body ? { revision: body.revision } : {});
        expect(proof.state_hash).toBe(then.state_hash);
      }
    });

    it('proves nothing once any part of it is changed', async () => {
      const proof = await proveRecord({ record_id: org.members[0]!.user_id });
      const absent = await proveRecord({ record_id: 'GroupID_absent' });
      const other = absent.state_hash.replace(/^./, (digit: string) => (digit === '0' ? '1' : '0'));
      for (const change of [
        { record: { ...proof.record, is_placeholder: true } },
        { record_id: 'UserID_another' },
        { bucket: proof.bucket ^ 1 },
        { bucket_size: proof.bucket_size + 1 },
        { bucket_path: proof.bucket_path.toReversed() },
        { state_hash: other },
        { exists: false, neighbours: [proof.leaf] },
      ])
        expect(flawOfRecord({ ...proof, ...change })).not.toBeNull();
      expect(flawOfRecord({ ...absent, bucket_size: absent.bucket_size + 1 })).not.toBeNull();
      expect(
        flawOfRecord({ ...absent, record_id: org.members[0]!.user_id, key: proof.key }),
      ).not.toBeNull();
    });

    it('shows secrets and personal fields only as the SHA-256 of their boxes', async () => {
      const { items } = (await org.admin.post('/contacts/list')).data;
      const named = items.find(({ name }: any) => name === 'Bob');
      const { record } = await proveRecord({ record_id: named.id });
      expect(record.name).toMatch(/^sealed:[0-9a-f]{64}$/);
    });

    it.each([
      [{}, 400, 'request.invalid'],
      [{ record_id: 'without-a-family' }, 400, 'request.invalid'],
      [{ record_id: 'GroupID_1', family: 'cats' }, 400, 'request.invalid'],
      [{ record_id: 'GroupID_1', family: 'labels' }, 400, 'request.invalid'],
      [{ record_id: 'UserID_1', family: 'bookmarks' }, 400, 'request.invalid'],
      [{ record_id: 'GroupID 1' }, 400, 'request.invalid'],
      [{ record_id: 'GroupID_é' }, 400, 'request.invalid'],
      [{ record_id: 'GroupID_1', revision: 1, at_ms: 1 }, 400, 'request.invalid'],
      [{ record_id: 'GroupID_1', revision: 100_000 }, 404, 'point.out-of-range'],
      [{ record_id: 'GroupID_1', at_ms: 1 }, 404, 'point.out-of-range'],
    ])('%j is %i', async (body, status, type) => {
      const answer = await org.admin.post('/organization/record_proof', body);
      expect([answer.status, answer.err.type]).toEqual([status, type]);
    });

    it('leads to a state_hash over the records of a replay and nothing else', async () => {
      const disk = await makeDisk(org);
      for (let version = 0; version < 3; version++)
        await makeFile(org.admin, disk, 'a.txt', { file_conflict_resolution: 'REPLACE' });
      const { state, state_hash } = await replay({ include: ['ALL'], page_size: 1000 });
      const buckets = Array.from({ length: 4096 }, (): Buffer[] => []);
      for (const [family, { items }] of Object.entries<any>(state))
        for (const { id, slug } of items) {
          const { bucket, leaf } = await proveRecord({ record_id: id ?? slug, family });
          buckets[bucket]!.push(Buffer.from(leaf.key + leaf.record_hash, 'hex'));
        }
      const roots = buckets.map((leaves) => {
        const count = Buffer.alloc(4);
        count.writeUInt32BE(leaves.length);
        const tree = treeHash(leaves.toSorted(Buffer.compare));
        return sha256(Uint8Array.of(2), count, tree);
      });
      expect(treeHash(roots).toString('hex')).toBe(state_hash);
    });
  });

  it('are for the owner and for VIEW on AUDIT alone', async () => {
    const answers = async () => [
      await bob.get('/organization/digest'),
      await bob.get('/organization/proof?revision=0'),
      await bob.get('/organization/consistency?from=1'),
      await bob.post('/organization/record_proof', { record_id: org.drive_id }),
    ];
    for (const { status, err } of await answers())
      expect([status, err.type]).toEqual([403, 'permission.denied']);
    const anonymous = new Client(org.admin.base);
    expect((await anonymous.get('/organization/digest')).status).toBe(401);
    await given(service, org, granted(org, org.members[0]!.user_id, 'TABLE_AUDIT', 'VIEW'));
    for (const { status } of await answers()) expect(status).toBe(200);
  });
});
