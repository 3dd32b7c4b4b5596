import { beforeAll, describe, expect, it } from '@jest/globals';
import { Frontier } from '../engine/proofs/merkle.js';
import { DRIVE_A, EngineSpec } from '../engine/testing/engine.js';
import { absenceOf, public_key, signed } from '../engine/testing/proof-documents.js';
import { checkFiles, type CheckedFile, type Finding } from './check.js';
import type { Digest } from './digest.js';
import { ChainChecker, type ChainedEvent } from './chain.js';
import { leafHash, nodeHash, sha256 } from './hashes.js';
import type { ConsistencyProof } from './merkle.js';
import type { RecordProof } from './record-proof.js';
import { lineOf } from './stream-file.js';

const file = (name: string, content: object | readonly string[]): CheckedFile => ({
  name,
  lines: Array.isArray(content) ? content : JSON.stringify(content, null, 2).split('\n'),
});
/** The lines of an export of one stream. */
const exported = (events: readonly ChainedEvent[]): string[] => {
  const checker = new ChainChecker(DRIVE_A);
  for (const event of events) checker.add(event);
  const of = { drive_id: DRIVE_A, events: events.length };
  const place = { export_id: 'spec', stream: 1, streams: 1, exported_ms: 1 };
  return [
    lineOf({ kind: 'header', header: { ...of, ...place } }),
    ...events.map((event) => lineOf({ kind: 'event', event })),
    lineOf({
      kind: 'end',
      end: {
        ...of,
        chain_hash: checker.chain_hash.toString('hex'),
        log_root: checker.log_root.toString('hex'),
      },
    }),
  ];
};
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const absence = (revision: number): RecordProof =>
  absenceOf({ drive_id: DRIVE_A, revision, family: 'groups', record_id: 'GroupID_none' });

const bad = (findings: readonly Finding[]) => findings.filter(({ ok }) => !ok);

describe('checking files', () => {
  let lines: string[];
  let events: readonly ChainedEvent[];
  let digest: Digest;
  let earlier: Digest;
  let inclusion: object;
  let consistency: object;

  beforeAll(async () => {
    const spec = new EngineSpec();
    const drive = await spec.spawn();
    const digests: Digest[] = [];
    for (let at = 0; at < 12; at++) {
      await spec.group(`Group ${at}`);
      const { revision, last_hash, frontier } = drive.head;
      digests.push(
        signed({
          drive_id: DRIVE_A,
          revision,
          size: revision + 1,
          chain_hash: Buffer.from(last_hash).toString('hex'),
          log_root: frontier.root().toString('hex'),
          state_hash: drive.folded.hash.root(),
          state_version: 1,
          timestamp_ms: spec.now,
        }),
      );
    }
    [earlier, digest] = [digests[4]!, digests.at(-1)!];
    events = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100);
    lines = exported(events);
    const proof = await spec.drives.log.inclusion(drive, 3, digest.size);
    inclusion = {
      drive_id: DRIVE_A,
      revision: 3,
      size: digest.size,
      event_hash: hex(proof.event_hash),
      log_root: hex(proof.root),
      path: proof.path.map(hex),
    };
    const link = await spec.drives.log.consistency(drive, earlier.size, digest.size);
    consistency = {
      drive_id: DRIVE_A,
      from: earlier.size,
      from_root: hex(link.from_root),
      to: digest.size,
      to_root: hex(link.to_root),
      path: link.path.map(hex),
    };
    await spec.drives.close();
  });

  it('finds all well, each alone and all together, whatever their order', async () => {
    const files = [
      file('stream.ndjson', lines),
      file('proof.json', inclusion),
      file('link.json', { ok: { data: consistency } }),
      file('digest.json', { ok: { data: digest } }),
      file('earlier.json', earlier),
    ];
    for (const one of files.slice(0, 1)) expect(bad(await checkFiles([one]))).toEqual([]);
    const findings = await checkFiles(files, { public_key });
    expect(bad(findings)).toEqual([]);
    expect(findings.map(({ file: name, says }) => `${name}: ${says}`)).toEqual(
      expect.arrayContaining([
        `stream.ndjson: stream of ${DRIVE_A}: 13 events, each with the hash that fits`,
        'digest.json: digest: stream.ndjson contains what it names',
        'earlier.json: digest: stream.ndjson contains what it names',
        'proof.json: its log_root is that of the digest digest.json',
        'link.json: its log_root is that of the digest earlier.json',
      ]),
    );
  });

  it.each<[string, (all: string[]) => string[], RegExp]>([
    [
      'a byte changed',
      (all) => all.with(5, all[5]!.replace('Group', 'Grope')),
      /^DriveID_a: revision 4: its hash/,
    ],
    ['an event missing', (all) => all.toSpliced(5, 1), /revision 4: it is missing/],
    ['an event twice', (all) => all.toSpliced(5, 0, all[5]!), /revision 5: it is missing/],
    ['two events swapped', (all) => all.with(5, all[6]!).with(6, all[5]!), /revision 4: it is/],
    ['a line that is no JSON', (all) => all.with(5, '{'), /^line 6: it is not JSON/],
    [
      'a hash that is none',
      (all) => all.with(5, all[5]!.replace('"hash":"', '"hash":"x')),
      /line 6: .*64 hex/,
    ],
    [
      'another drive',
      (all) => all.with(0, all[0]!.replace('DriveID_a', 'DriveID_b')),
      /revision 0: its hash/,
    ],
    ['its end missing', (all) => all.slice(0, -1), /revision 13: the file is truncated here/],
    ['its last events missing', (all) => all.toSpliced(-3, 2), /revision 11: it is missing/],
    [
      'an event too many',
      (all) => all.toSpliced(0, 1, all[0]!.replace('13', '12')),
      /another stream/,
    ],
    [
      'the end of another',
      (all) => [...all.slice(0, -1), exported(events.slice(1, 1)).at(-1)!],
      /another stream/,
    ],
    ['a later form', (all) => all.with(0, all[0]!.replace('version":1', 'version":2')), /reads 1/],
    ['something behind its end', (all) => [...all, all[1]!], /there is content after its end/],
    [
      'a second beginning',
      (all) => all.toSpliced(3, 0, all[0]!),
      /revision 2: the file is truncated/,
    ],
    [
      'other streams missing',
      (all) => all.with(0, all[0]!.replace('"streams":1', '"streams":2')),
      /1 of 2 streams/,
    ],
  ])('finds a stream with %s', async (_, change, says) => {
    const [found, ...more] = bad(await checkFiles([file('stream', change(lines))]));
    expect(more).toEqual([]);
    expect(found!.says).toMatch(says);
  });

  it('finds the end of a stream missing by the digest', async () => {
    const files = [file('stream', exported(events.slice(0, -1))), file('digest', digest)];
    expect(bad(await checkFiles(files))).toEqual([
      { file: 'digest', ok: false, says: 'digest: stream does not contain what it names' },
    ]);
  });

  it('finds an export of other organizations than the digests', async () => {
    const elsewhere = file('digest', signed({ ...digest, drive_id: 'DriveID_b' }));
    const both = [elsewhere, file('stream', lines)];
    expect(bad(await checkFiles(both))).toEqual([
      { file: 'stream', ok: false, says: 'no digest given is of an organization in it' },
    ]);
    expect(bad(await checkFiles([...both, file('own', digest)]))).toEqual([]);
  });

  it('finds documents that do not hold, or are of another past', async () => {
    const other = signed({ ...digest, log_root: digest.chain_hash });
    for (const [content, says] of [
      [{ ...digest, size: 3, revision: 2 }, /its signature is invalid/],
      [{ ...digest, revision: 2 }, /not its revision/],
      [{ ...inclusion, revision: 4 }, /does not lead to log_root/],
      [{ ...consistency, from: 3 }, /does not lead from from_root/],
      [other, /a diverging history of the same size as digest/],
      [{ a: 1 }, /not a digest, proof or stream/],
      [['no JSON'], /it is not JSON/],
      [[], /it is not JSON/],
    ] as const) {
      const found = bad(await checkFiles([file('digest', digest), file('file', content)]));
      expect(found[0]!.says).toMatch(says);
    }
    const [claim] = bad(await checkFiles([file('file', inclusion), file('digest', other)]));
    expect(claim!.says).toBe('its log_root is not that of the digest digest');
  });

  it('finds a proof that no digest covers, if there are digests', async () => {
    const proof = file('proof', inclusion);
    const link = file('link', consistency);
    const [late, early] = [file('late', digest), file('early', earlier)];
    const says = async (...files: CheckedFile[]) =>
      bad(await checkFiles(files)).map((finding) => `${finding.file}: ${finding.says}`);
    expect(await says(proof)).toEqual([]);
    expect(await says(proof, late)).toEqual([]);
    const uncovered = [`proof: no digest given covers its log_root of ${DRIVE_A} at revision 12`];
    expect(await says(proof, early)).toEqual(uncovered);
    // The later log begins with all events of the digest, and this is one of them.
    expect(await says(proof, early, link)).toEqual([]);
    expect(await says(link, late)).toEqual([]);
    expect(await says(link, early)).toEqual([]);
    const elsewhere = signed({ ...earlier, drive_id: 'DriveID_b' });
    expect(await says(proof, file('elsewhere', elsewhere))).toEqual(uncovered);
  });

  it('finds an event that a later log could have been made for', async () => {
    const leaves = events.slice(0, 4).map(({ hash }) => Buffer.from(hash));
    const [from, from_root] = [4, Frontier.empty.append(leaves).root()];
    const mine = signed({ ...digest, size: from, revision: 3, log_root: hex(from_root) });
    // Four events of the digest are a tree of their own, beside which there is one of four invented ones.
    const invented = Array.from({ length: 4 }, (_, at) => sha256(`invented ${at}`));
    const [a, b, c, d] = invented.map((leaf) => leafHash(leaf));
    const right = nodeHash(nodeHash(a!, b!), nodeHash(c!, d!));
    const to_root = hex(nodeHash(from_root, right));
    const of = { drive_id: DRIVE_A };
    const forward = { ...of, from, from_root: hex(from_root), to: 8, to_root, path: [hex(right)] };
    const forged = {
      ...{ ...of, revision: 5, size: 8, event_hash: hex(invented[1]!), log_root: to_root },
      path: [a!, nodeHash(c!, d!), from_root].map(hex),
    };
    const findings = await checkFiles([
      file('digest', mine),
      file('forward', forward),
      file('forged', forged),
    ]);
    expect(bad(findings)).toEqual([
      {
        file: 'forged',
        ok: false,
        says: 'no digest given covers its log_root of DriveID_a at revision 7',
      },
    ]);
    expect(findings).toContainEqual({
      ...{ file: 'forward', ok: true },
      says: 'no digest given covers its log_root of DriveID_a at revision 7',
    });
  });

  it('takes no proof that does not hold for a link', async () => {
    const broken = { ...consistency, path: [] };
    const other = { ...inclusion, log_root: (consistency as ConsistencyProof).from_root };
    const files = [
      file('late', digest),
      file('broken', broken),
      file('proof', { ...other, size: earlier.size }),
    ];
    const found = bad(await checkFiles(files)).filter((one) => one.file === 'proof');
    expect(found.at(-1)!.says).toBe(
      'no digest given covers its log_root of DriveID_a at revision 5',
    );
  });

  it('finds a record that no digest of its revision covers, if there are digests', async () => {
    const unknown = signed({ ...digest, state_hash: null });
    const proof = absence(digest.revision);
    const says = async (proven: object) =>
      bad(await checkFiles([file('digest', unknown), file('proof', proven)])).map(
        (one) => one.says,
      );
    const uncovered = `no digest given covers its state_hash of ${DRIVE_A} at revision `;
    expect(await says(proof)).toEqual([`${uncovered}${digest.revision}`]);
    expect(await says({ ...proof, revision: 1 })).toEqual([`${uncovered}1`]);
  });

  it.each<[string, string, RegExp]>([
    ['a leaf that is none', '"neighbours":[null]', /not a list of leaves/],
    ['a bucket too large', `"bucket_size":${2 ** 32}`, /bucket_size is more than/],
    [
      'a record nested too deeply',
      `"exists":true,"leaf":{"key":"${absence(1).key}"},` +
        `"record":{"id":"GroupID_none","in":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      /nested too deeply/,
    ],
  ])('finds a record proof with %s, and checks other files', async (_, members, says) => {
    const text = JSON.stringify(absence(1)).replace(/}$/, `,${members}}`);
    const found = bad(await checkFiles([file('proof', [text]), file('none', { a: 1 })]));
    expect(found.map(({ file: name }) => name)).toEqual(['proof', 'none']);
    expect(found[0]!.says).toMatch(says);
  });

  it('finds the absence of a record in a family that it cannot be in', async () => {
    const place = { drive_id: DRIVE_A, revision: 1, record_id: 'UserID_bob' };
    const says = async (family: string, record_id = place.record_id) => {
      const proof = file('proof', absenceOf({ ...place, family, record_id }));
      const familyOf = (id: string) =>
        ({ UserID: 'contacts', DriveID: 'drives' })[id.split('_')[0]!];
      return (await checkFiles([proof], { familyOf })).map((one) => `${one.ok} ${one.says}`);
    };
    expect(await says('contacts')).toEqual([
      'true absence of contacts UserID_bob in DriveID_a at revision 1: leads to its state_hash',
    ]);
    expect(await says('labels')).toEqual([
      'false absence of labels UserID_bob in DriveID_a at revision 1: UserID_bob is an id of contacts, not of labels',
    ]);
    // An organization's own record has the id of its drive.
    expect((await says('organization', DRIVE_A))[0]).toMatch(/^true /);
    expect((await says('organization', 'DriveID_b'))[0]).toMatch(/^false .* is an id of drives/);
    expect((await says('bookmarks', 'march'))[0]).toBe(
      'true absence of bookmarks march in DriveID_a at revision 1: leads to its state_hash',
    );
  });

  it('takes only the key that is trusted', async () => {
    const trusted = Buffer.alloc(32, 1);
    const [found] = bad(await checkFiles([file('digest', digest)], { public_key: trusted }));
    expect(found!.says).toMatch(/it is signed with another key$/);
  });
});
