import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presenceOf } from '../../libs/engine/testing/proof-documents.js';
import type { Organization } from '../support/client.js';
import { put, sha256Of } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

describe('a local file that is checked against the proof of a record', () => {
  const bytes = randomBytes(200_000);
  let service: TestService;
  let org: Organization;
  let folder: string;
  let id: string;
  let local: string;
  let proof: any;
  let digest: any;

  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, Buffer.isBuffer(content) ? content : JSON.stringify(content));
    return path;
  };
  const prove = async (body: object): Promise<any> => {
    const answer = await org.admin.post('/organization/record_proof', body);
    expect([answer.status, answer.err]).toEqual([200, undefined]);
    return answer.body;
  };
  const verify = async (file: string, by: string, ...more: string[]) => {
    const { code, out, err } = await ops(['verify', '--file', file, '--proof', by, ...more]);
    return { code, err, lines: out.trimEnd().replaceAll(`${folder}/`, '').split('\n') };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'content-proof-'));
    service = await TestService.start();
    org = await service.organization();
    const made = await makeFile(org.admin, await makeDisk(org), 'contract.pdf');
    id = made.id;
    await put(org.admin, id, bytes);
    proof = await prove({ record_id: id });
    digest = (await org.admin.get('/organization/digest')).body;
    local = write('local.pdf', bytes);
    // Offline from here on, but for the proofs of other revisions.
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  it('is proven to have been the content at that revision, up to the signed digest', async () => {
    const files = [write('proof.json', proof), write('digest.json', digest)] as const;
    const key = digest.ok.data.public_key;
    const { code, lines } = await verify(local, files[0], files[1], '--public-key', key);
    const { drive_id, revision, record } = proof.ok.data;
    expect(lines).toEqual([
      expect.stringMatching(/^ok {3}digest\.json: .* signed with the given key$/),
      `ok   proof.json: presence of files ${id} in ${drive_id} at revision ${revision}: leads to its state_hash`,
      'ok   proof.json: its state_hash is that of the digest digest.json',
      `ok   local.pdf: It was the content of ${id} (${record.version_id}) of ${drive_id} at revision ${revision}, by ` +
        `proof.json: SHA-256 ${sha256Of(bytes)}.`,
    ]);
    expect(code).toBe(0);
  });

  it('is found out if it was changed, or if the proof was', async () => {
    const by = write('proof.json', proof);
    const other = Buffer.from(bytes);
    other[100_000]! ^= 1;
    const changed = await verify(write('changed.pdf', other), by);
    expect(changed.code).toBe(1);
    expect(changed.lines.at(-1)).toMatch(
      new RegExp(
        `^BAD {2}changed.pdf: It has the SHA-256 ${sha256Of(other)}; the content of ${id} `,
      ),
    );
    const data = proof.ok.data;
    const forged = { ...data, record: { ...data.record, sha256: sha256Of(other) } };
    const by_forged = await verify(join(folder, 'changed.pdf'), write('forged.json', forged));
    expect(by_forged.code).toBe(1);
    expect(by_forged.lines).toEqual([
      `BAD  forged.json: presence of files ${id} in ${org.drive_id} at revision ${data.revision}: the record does not have the hash of its leaf`,
      'BAD  changed.pdf: forged.json does not prove its content: the record does not have the hash of its leaf.',
    ]);
  });

  it('is proven by no digest that is not signed, or that names another state', async () => {
    const by = write('proof.json', proof);
    const { data } = digest.ok;
    const tampered = write('tampered.json', { ...data, state_hash: data.chain_hash });
    const { code, lines } = await verify(local, by, tampered);
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^BAD {2}tampered\.json: .*signature/));
    expect(lines.at(-1)).toContain(', if its state_hash is that of a signed digest: ');
    const both = await verify(local, by, tampered, write('digest.json', digest));
    expect(both.lines.at(-1)).toMatch(
      /^ok {3}local\.pdf: It was the content of .*, by proof\.json: /,
    );
  });

  it('is proven by an earlier revision once the file has another content', async () => {
    const { revision } = proof.ok.data;
    const later = randomBytes(10);
    await put(org.admin, id, later);
    const [now, then] = [await prove({ record_id: id }), await prove({ record_id: id, revision })];
    expect((await verify(local, write('now.json', now))).code).toBe(1);
    expect((await verify(local, write('then.json', then))).code).toBe(0);
    // Anybody could have made a proof that no digest covers.
    const path = write('later.pdf', later);
    const alone = await verify(path, write('now.json', now));
    expect([alone.code, alone.lines.at(-1)]).toEqual([
      0,
      expect.stringContaining('by now.json, if its state_hash is that of a signed digest: '),
    ]);
    const covered = await verify(path, write('now.json', now), write('digest.json', digest));
    const of_now = now.ok.data.revision;
    expect(covered.code).toBe(1);
    expect(covered.lines).toContain(
      `BAD  now.json: no digest given covers its state_hash of ${org.drive_id} at revision ${of_now}`,
    );
    expect(covered.lines.at(-1)).toMatch(
      /^BAD {2}later\.pdf: .*no valid digest given has the state of that revision/,
    );
  });

  it('is not proven by what only looks like a proof of this organization', async () => {
    const real = write('digest.json', digest);
    const forged = Buffer.from('forged content');
    const record = { id: 'FileID_never', sha256: sha256Of(forged), version_id: 'FileVersionID_1' };
    const never = (await prove({ record_id: record.id })).ok.data;
    const { drive_id, revision } = proof.ok.data;
    const made = (more: object) =>
      presenceOf({ drive_id, revision, family: 'files', record_id: record.id, ...more }, record);
    for (const [document, why] of [
      [{ ...never, record }, /it has a leaf or record, although it proves absence\.$/],
      [made({}), /no valid digest given has the state of that revision\.$/],
      [made({ drive_id: `${drive_id}x` }), /no valid digest given has the state of/],
      [made({ drive_id: `${drive_id} ` }), /drive_id is not an id\.$/],
      [made({ revision: String(revision) }), /revision is not a whole number\.$/],
    ] as const) {
      const by = write('forged.json', document);
      const { code, lines } = await verify(write('local.txt', forged), by, real);
      expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(/^BAD {2}local\.txt: /)]);
      expect(lines.at(-1)).toMatch(why);
      expect(lines).toContainEqual(expect.stringMatching(/^BAD {2}forged\.json: /));
    }
    const name = `${drive_id}\nok   digest.json: digest`;
    const broken = await verify(local, write('lines.json', { ...digest.ok.data, drive_id: name }));
    expect(broken.lines.every((line) => line.startsWith('BAD'))).toBe(true);
  });

  it('is not proven by what is no proof of a file with content', async () => {
    const empty = await makeFile(org.admin, await makeDisk(org), 'empty.pdf');
    const why = async (name: string, document: unknown): Promise<string> => {
      const { code, lines } = await verify(local, write(name, document));
      expect(code).toBe(1);
      return lines.at(-1)!.replace(`BAD  local.pdf: ${name} does not prove its content: `, '');
    };
    expect(await why('user.json', await prove({ record_id: org.admin.user_id }))).toBe(
      `${org.admin.user_id} is not a file.`,
    );
    expect(await why('empty.json', await prove({ record_id: empty.id }))).toMatch(
      new RegExp(`^the SHA-256 of ${empty.id} was not known at revision \\d+\\.$`),
    );
    expect(await why('absent.json', await prove({ record_id: 'FileID_none' }))).toMatch(
      /^there was no FileID_none at revision \d+\.$/,
    );
    expect(await why('digest.json', digest)).toBe('it is not a record proof.');
  });

  it('needs both options', async () => {
    for (const args of [
      ['--file', local],
      ['--proof', write('proof.json', proof)],
    ]) {
      const { code, err } = await ops(['verify', ...args]);
      expect([code, err]).toEqual([2, '--file and --proof are given together.\n']);
    }
  });
});
