import { isDeepStrictEqual } from 'node:util';
import type { Group } from '../../domain/groups/record.js';
import { Box } from '../../domain/kernel/sealed.js';
import { OWNER } from '../../domain/testing/drive.js';
import { emptyState } from '../fold/fold.js';
import { Keyring } from '../keys/keyring.js';
import { type FoldedState, readSnapshot, writeSnapshot } from './snapshot.js';
import { unpackSections } from './snapshot-sections.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';

const UNREADABLE = /^not packed sections$/;

const roundTrip = async (folded: FoldedState): Promise<FoldedState> =>
  readSnapshot(folded.state.drive_id, await writeSnapshot(folded));

const records = ({ state }: FoldedState) =>
  state.tables.map((table) => [table.definition.name, [...table.values()]]);

describe('a snapshot', () => {
  let folded: FoldedState;

  beforeEach(async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    for (let at = 0; at < 30; at++) await spec.group(`G${at}`);
    folded = await spec.folded();
    folded.state.undo_log.revision = 100;
    folded.state.groups.remove('GroupID_everyone');
    folded.state.undo_log.forget();
  });

  it('brings back every record, undefined members apart', async () => {
    expect(records(await roundTrip(folded))).toEqual(records(folded));
  });

  it('brings back hash, revision, time and frontier', async () => {
    const back = await roundTrip(folded);
    expect(back.hash.root()).toBe(folded.hash.root());
    expect(back.state.revision).toBe(100);
    expect(back.state.timestamp_ms).toBe(folded.state.timestamp_ms);
    expect(back.frontier.toJSON()).toEqual(folded.frontier.toJSON());
  });

  it('brings back indexes, counts of references and retired ids', async () => {
    const { state } = await roundTrip(folded);
    expect(state.groups.by('owner', OWNER)).toEqual(folded.state.groups.by('owner', OWNER));
    expect(state.undo_log.referencesTo(OWNER)).toBe(folded.state.undo_log.referencesTo(OWNER));
    expect(state.undo_log.isRetired('GroupID_everyone')).toBe(true);
    expect(state.undo_log.mark()).toBe(0);
  });

  it('may be written again before anybody has looked at its records', async () => {
    const back = await roundTrip(folded);
    const again = await roundTrip(back);
    for (const other of [again.state, back.state]) {
      expect(records({ ...back, state: other })).toEqual(records(folded));
      expect([...other.undo_log.retiredIds()]).toEqual(['GroupID_everyone']);
    }
    expect(again.hash.root()).toBe(folded.hash.root());
  });

  it('knows which ids were retired before it and which since, also after an undo', async () => {
    const { state } = await roundTrip(folded);
    const [first, second] = [...state.groups.ids()];
    state.groups.remove(first!);
    const mark = state.undo_log.mark();
    state.groups.remove(second!);
    state.undo_log.undoTo(mark);
    const retired = ['GroupID_everyone', first, second].map((id) => state.undo_log.isRetired(id!));
    expect(retired).toEqual([true, true, false]);
    expect([...state.undo_log.retiredIds()].sort()).toEqual(['GroupID_everyone', first].sort());
    expect(state.groups.get(second!)).toEqual(folded.state.groups.get(second!));
  });

  it('is written as it stood when that was begun', async () => {
    const back = await roundTrip(folded);
    const expected = records(folded);
    const writing = writeSnapshot(back);
    for (const { id } of [...back.state.groups.values()]) back.state.groups.remove(id);
    expect(records(await readSnapshot(DRIVE_A, await writing))).toEqual(expected);
  });

  it('leaves out the keys of requests for whoever needs none', async () => {
    const { keys, ...rest } = folded;
    const metadata = JSON.stringify({ idempotency: { key: 'k', body: 'b' } });
    keys.note({ revision: 100, timestamp_ms: 1, metadata });
    const bytes = await writeSnapshot({ ...rest, keys });
    expect((await readSnapshot(DRIVE_A, bytes)).keys.toJSON()).toEqual(keys.toJSON());
    expect((await readSnapshot(DRIVE_A, bytes, { with_keys: false })).keys.size).toBe(0);
  });

  it('goes on hashing what changes afterwards', async () => {
    const back = await roundTrip(folded);
    for (const { state } of [folded, back]) {
      const [first] = state.groups.values();
      state.groups.put({ ...first!, name: 'renamed' });
    }
    expect(back.hash.root()).toBe(folded.hash.root());
  });

  it('keeps boxes sealed and shares those that several records share', async () => {
    const { state, ...rest } = emptyState(DRIVE_A);
    const keyring = new Keyring(DRIVE_A, new Map());
    const box = keyring.seal('subject', { name: 'Ann Archer' });
    for (const id of ['a', 'b']) state.table('disks')!.put({ id, name: box } as { id: string });
    const bytes = await writeSnapshot({ state, ...rest });
    const written = Buffer.concat(await unpackSections(bytes)).toString('latin1');
    expect(written).toContain(box.text);
    expect(written).not.toContain('Ann Archer');
    const { state: back } = await readSnapshot(DRIVE_A, bytes);
    const names = ['a', 'b'].map((id) => back.disks.get(id)!.name as unknown);
    expect(names[0]).toBeInstanceOf(Box);
    expect(names[0]).toBe(names[1]);
    expect(keyring.open<unknown>(names[0], 'name')).toBe('Ann Archer');
  });

  it('tells an undefined member from null', async () => {
    const { state, ...rest } = emptyState(DRIVE_A);
    const half = { id: 'a', name: undefined, owner: null } as unknown as Group;
    state.groups.put(half);
    const before = rest.hash.root();
    const back = await roundTrip({ state, ...rest });
    expect(back.state.groups.get('a')).toEqual({ id: 'a', owner: null, revision: -1 });
    expect(back.state.groups.get('a')).not.toHaveProperty('name');
    back.state.groups.put({ ...back.state.groups.get('a')! });
    expect(back.hash.root()).toBe(before);
  });

  it('takes objects as they are, whatever their members are called', async () => {
    const { state, ...rest } = emptyState(DRIVE_A);
    const values = [{ $box: 0 }, { $: 1 }, {}, [], [{ $box: 0 }], 'text', 0, false, null];
    values.forEach((value, at) =>
      state.table('disks')!.put({ id: `${at}`, name: value } as { id: string }),
    );
    const back = await roundTrip({ state, ...rest });
    expect(values.map((_, at) => back.state.disks.get(`${at}`)!.name)).toEqual(values);
  });

  it('is refused when it is cut or is none', async () => {
    const bytes = await writeSnapshot(folded);
    const part = bytes.subarray(0, 50);
    await expect(readSnapshot(DRIVE_A, part)).rejects.toThrow(UNREADABLE);
    await expect(readSnapshot(DRIVE_A, Buffer.from('no snapshot'))).rejects.toThrow(UNREADABLE);
    await expect(readSnapshot(DRIVE_A, new Uint8Array())).rejects.toThrow(UNREADABLE);
  });

  it('is refused when any of its bytes is another', async () => {
    let tried = 0;
    let refused = 0;
    let harmless = 0;
    const bytes = await writeSnapshot(folded);
    for (let at = 0; at < bytes.length; at += 61) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 0x10;
      const back = await readSnapshot(DRIVE_A, damaged).catch(() => null);
      // A bit of zstd's own that means nothing may be another.
      if (back && isDeepStrictEqual(records(back), records(folded))) harmless++;
      else if (!back) refused++;
      tried++;
    }
    expect(refused + harmless).toBe(tried);
    expect(refused).toBeGreaterThan(0.9 * tried);
  });

  it('of an empty state is an empty state', async () => {
    const back = await roundTrip(emptyState(DRIVE_A));
    expect(back.state.revision).toBe(-1);
    expect(back.hash.root()).toBe(emptyState(DRIVE_A).hash.root());
  });
});
