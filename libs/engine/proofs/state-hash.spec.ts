import type { FamilyDefinition, RecordBase } from '../../domain/kernel/record.js';
import { newDriveState } from '../../domain/drive/state.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import type { Contact } from '../../domain/contacts/record.js';
import { bareContact } from '../../domain/relations/bare-contact.js';
import type { Group } from '../../domain/groups/record.js';
import { Box } from '../../domain/kernel/sealed.js';
import { canonicalJson } from './hashing.js';
import { hashedForm, recordHash, StateHash } from './state-hash.js';

const sha = (...parts: readonly (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const leaf = (data: Uint8Array): Buffer => sha(Uint8Array.of(0), data);
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha(Uint8Array.of(1), left, right);

/** RFC 6962's tree hash over leaf data, as the definition reads. */
function treeOf(data: readonly Uint8Array[]): Buffer {
  if (data.length === 0) return sha('');
  if (data.length === 1) return leaf(data[0]!);
  let split = 1;
  while (split * 2 < data.length) split *= 2;
  return node(treeOf(data.slice(0, split)), treeOf(data.slice(split)));
}

/** The contract's rule, word for word, over all records at once. */
function naiveHash(state: DriveState): string {
  const buckets = new Map<number, Buffer[]>();
  for (const table of state.tables)
    for (const record of table.values()) {
      const key = sha(table.definition.name, '\t', record.id);
      const form = hashedForm(table.definition, record);
      const leaf_data = Buffer.concat([key, sha(canonicalJson(form))]);
      const bucket = parseInt(key.toString('hex').slice(0, 3), 16);
      buckets.set(bucket, [...(buckets.get(bucket) ?? []), leaf_data]);
    }
  const roots = Array.from({ length: 4096 }, (_, bucket) => {
    const leaves = (buckets.get(bucket) ?? []).sort(Buffer.compare);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(leaves.length);
    return sha(Uint8Array.of(2), count, treeOf(leaves));
  });
  return treeOf(roots).toString('hex');
}

const group = (id: string, name: string): Group => ({
  id,
  name,
  owner: 'UserID_a',
  avatar: '',
  public_note: '',
  private_note: '',
  host_url: '',
  external_id: null,
  external_payload: null,
  created_at: 1,
  last_modified_at: 1,
});

const change = fc.record({
  id: fc.nat(12).map((nth) => `GroupID_${nth}`),
  name: fc.constantFrom('a', 'b', null),
});

describe('the hash of a state', () => {
  it('of an empty state is the hash over 4,096 empty buckets', () => {
    const state = newDriveState('DriveID_a');
    expect(new StateHash(state).root()).toBe(naiveHash(state));
  });

  it('is the contract’s, after any changes, undone ones and questions in between', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 8, arbitrary: change },
            fc.constantFrom('mark' as const, 'undo' as const, 'ask' as const),
          ),
          { size: 'max', maxLength: 60 },
        ),
        (steps) => {
          const state = newDriveState('DriveID_a');
          const hash = new StateHash(state);
          const marks: number[] = [];
          for (const step of steps) {
            if (step === 'mark') marks.push(state.undo_log.mark());
            else if (step === 'undo') state.undo_log.undoTo(marks.pop() ?? 0);
            else if (step === 'ask') hash.root();
            else if (step.name === null) state.groups.remove(step.id);
            else state.groups.put(group(step.id, step.name));
          }
          const early = hash.packed();
          expect(hash.root()).toBe(naiveHash(state));
          expect(new StateHash(state, hash.packed()).root()).toBe(hash.root());
          const back = new StateHash(state, early);
          state.groups.put(group('GroupID_after', 'x'));
          expect(back.root()).toBe(naiveHash(state));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is the contract’s where many records share a bucket', () => {
    const state = newDriveState('DriveID_a');
    const hash = new StateHash(state);
    for (let nth = 0; nth < 9_000; nth++) state.groups.put(group(`GroupID_${nth}`, 'x'));
    expect(hash.root()).toBe(naiveHash(state));
    for (let nth = 0; nth < 9_000; nth += 3) state.groups.remove(`GroupID_${nth}`);
    expect(hash.root()).toBe(naiveHash(state));
  });

  it('is the same when hashed in turns, whatever changes or is asked in between', async () => {
    const state = newDriveState('DriveID_a');
    const hash = new StateHash(state);
    for (let nth = 0; nth < 3_000; nth++) state.groups.put(group(`GroupID_${nth}`, 'x'));
    let between: string[] = [];
    const hashing = hash.hashInTurns();
    for (let nth = 0; nth < 30; nth++) {
      state.groups.put(group(`GroupID_${nth * 7}`, `changed ${nth}`));
      state.groups.remove(`GroupID_${nth * 11 + 1}`);
      if (nth === 20) between = [hash.root(), naiveHash(state)];
      await nextTurn();
    }
    await hashing;
    expect(between[0]).toBe(between[1]);
    expect(hash.root()).toBe(naiveHash(state));
  });

  it('does not depend on the order in which records arose, nor on who was there before', () => {
    const ids = Array.from({ length: 300 }, (_, nth) => `GroupID_${nth}`);
    const hashes = [ids, ids.toReversed(), ids.toSorted()].map((order) => {
      const state = newDriveState('DriveID_a');
      const hash = new StateHash(state);
      state.groups.put(group('GroupID_gone', 'gone'));
      hash.root();
      for (const id of order) state.groups.put(group(id, `name of ${id}`));
      state.groups.remove('GroupID_gone');
      return hash.root();
    });
    expect(new Set(hashes).size).toBe(1);
  });

  it('tells records of two families with one id apart', () => {
    const [one, two] = ['disks', 'shortlinks'].map((family) => {
      const state = newDriveState('DriveID_a');
      const hash = new StateHash(state);
      state.table(family)!.put({ id: 'same' });
      return hash.root();
    });
    expect(one).not.toBe(two);
  });

  it('of one drive does not depend on its id or on revisions', () => {
    const hashes = ['DriveID_a', 'DriveID_b'].map((drive_id, at) => {
      const state = newDriveState(drive_id);
      const hash = new StateHash(state);
      state.undo_log.revision = at;
      state.groups.put(group('GroupID_1', 'x'));
      return hash.root();
    });
    expect(hashes[0]).toBe(hashes[1]);
  });

  it('changes with a field and comes back with it', () => {
    const state = newDriveState('DriveID_a');
    const hash = new StateHash(state);
    state.groups.put(group('GroupID_1', 'x'));
    const before = hash.root();
    state.groups.put(group('GroupID_1', 'y'));
    expect(hash.root()).not.toBe(before);
    state.groups.put(group('GroupID_1', 'x'));
    expect(hash.root()).toBe(before);
  });
});

describe('the hashed form of a record', () => {
  const family = (defaults: object) =>
    ({ name: 'things', defaults, user_fields: [] }) as FamilyDefinition<RecordBase>;
  const thing = (fields: object): RecordBase => ({ id: 'ThingID_1', ...fields });

  it('leaves out members at their default, so that one added later changes no old hash', () => {
    const old = recordHash(family({}), thing({ name: 'x' }));
    const added = family({ colour: null, size: 0, tags: [], on: false, note: '' });
    const now = thing({ name: 'x', colour: null, size: 0, tags: [], on: false, note: '' });
    expect(recordHash(added, now)).toEqual(old);
    expect(recordHash(added, thing({ name: 'x' }))).toEqual(old);
  });

  it('keeps what differs from the default, also another empty value', () => {
    const defaults = { colour: null, tags: ['a'], on: true };
    const form = { id: 'ThingID_1', colour: '', tags: [], on: false };
    expect(hashedForm(family(defaults), thing({ colour: '', tags: [], on: false }))).toEqual(form);
  });

  it('leaves out the revision and undefined members', () => {
    expect(hashedForm(family({}), thing({ revision: 3, name: undefined }))).toEqual({
      id: 'ThingID_1',
    });
  });

  it('holds a sealed field as the hash of its box, a digest as the hash of the digest', () => {
    const box = new Box('subject', 'Ym94');
    const form = hashedForm(family({}), thing({ name: box, digest: 'd1', redeem_digest: 'd2' }));
    expect(form).toEqual({
      id: 'ThingID_1',
      name: `sealed:${sha('Ym94').toString('hex')}`,
      digest: sha('d1').toString('hex'),
      redeem_digest: sha('d2').toString('hex'),
    });
  });

  it('gives nothing away of a contact’s name', () => {
    const contact: Contact = { ...bareContact('UserID_a', 's', 1), name: new Box('s', 'Ym94') };
    const state = newDriveState('DriveID_a');
    const form = JSON.stringify(hashedForm(state.table('contacts')!.definition, contact));
    expect(form).not.toContain('Ym94');
  });
});
