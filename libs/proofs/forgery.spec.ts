import { describe, expect, it } from '@jest/globals';
import {
  absenceOf,
  changesOf,
  type Document,
  presenceOf,
  public_key,
  signed,
} from '../engine/testing/proof-documents.js';
import { checkFiles, type Finding } from './check.js';
import type { Digest } from './digest.js';
import { leafHash, nodeHash, sha256 } from './hashes.js';

const drive_id = 'DriveID_a';
const place = { drive_id, revision: 3 } as const;
const content = { sha256: '1'.repeat(64), version_id: 'FileVersionID_1' };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('a forged document', () => {
  const absence = absenceOf({ ...place, family: 'groups', record_id: 'GroupID_none' });
  const presence = presenceOf({ ...place, family: 'files', record_id: 'FileID_1' }, content);
  const leaves = [0, 1, 2, 3].map((at) => sha256(`event ${at}`));
  const [a, b, c, d] = leaves.map((leaf) => leafHash(leaf));
  const [left, right] = [nodeHash(a!, b!), nodeHash(c!, d!)];
  const log_root = hex(nodeHash(left, right));
  const inclusion = {
    ...{ drive_id, revision: 1, size: 4, event_hash: hex(leaves[1]!), log_root },
    path: [a!, right].map(hex),
  };
  const consistency = {
    ...{ drive_id, from: 2, from_root: hex(left), to: 4, to_root: log_root },
    path: [hex(right)],
  };
  const digestOf = (state_hash: string): Digest =>
    signed({
      ...{ ...place, size: 4, chain_hash: hex(leaves[3]!), log_root, state_hash },
      ...{ state_version: 1, timestamp_ms: 1 },
    });
  const check = (document: object, digest: Digest): Promise<Finding[]> => {
    const files = Object.entries({ digest, document });
    const checked = files.map(([name, value]) => ({ name, lines: [JSON.stringify(value)] }));
    return checkFiles(checked, { public_key });
  };
  const isGood = (findings: readonly Finding[]): boolean => findings.every(({ ok }) => ok);

  // Nothing covers these members, so no finding says anything of them.
  it.each<[string, object, string, string[]]>([
    ['absence', { ...absence, at_ms: 5 }, absence.state_hash, ['at_ms', 'extra']],
    ['presence', { ...presence, at_ms: 5 }, presence.state_hash, ['leaf.extra', 'at_ms', 'extra']],
    ['inclusion', inclusion, presence.state_hash, ['extra']],
    ['consistency', consistency, presence.state_hash, ['extra']],
    ['digest', digestOf(presence.state_hash), presence.state_hash, ['extra']],
  ])('of %s is found out, whatever member was changed', async (_, honest, state_hash, ignored) => {
    const digest = digestOf(state_hash);
    const findings = await check(honest, digest);
    expect(isGood(findings)).toBe(true);
    const passed: [path: string, found: Finding[]][] = [];
    for (const [path, changed] of changesOf(honest as Document)) {
      const found = await check(changed, digest);
      if (isGood(found)) passed.push([path, found]);
    }
    expect(passed).toEqual(passed.map(([path]) => [path, findings]));
    expect([...new Set(passed.map(([path]) => path))]).toEqual(ignored);
  });
});
