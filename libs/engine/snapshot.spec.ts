import { zstdDecompressSync } from 'node:zlib';
import type { Group } from '../domain/groups/record.js';
import { Box } from '../domain/kernel/sealed.js';
import { OWNER } from '../domain/testing/drive.js';
import { emptyState } from './fold.js';
import { Keyring } from './keyring.js';
import { type FoldedState, readSnapshot, writeSnapshot } from './snapshot.js';
import { DRIVE_A, EngineSpec } from './testing/engine.js';

const UNREADABLE = /zstd|Src size|Unknown frame|Data corruption|unexpected end/i;

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
    folded.state.journal.revision = 100;
    folded.state.groups.remove('GroupID_everyone');
    folded.state.journal.forget();
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
    expect(state.journal.referencesTo(OWNER)).toBe(folded.state.journal.referencesTo(OWNER));
    expect(state.journal.isRetired('GroupID_everyone')).toBe(true);
    expect(state.journal.mark()).toBe(0);
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
    expect(zstdDecompressSync(bytes).toString()).not.toContain('Ann Archer');
    const back = readSnapshot(DRIVE_A, bytes).state;
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
    expect(() => readSnapshot(DRIVE_A, bytes.subarray(0, 50))).toThrow(UNREADABLE);
    expect(() => readSnapshot(DRIVE_A, Buffer.from('no snapshot'))).toThrow(UNREADABLE);
  });

  it('of an empty state is an empty state', async () => {
    const back = await roundTrip(emptyState(DRIVE_A));
    expect(back.state.revision).toBe(-1);
    expect(back.hash.root()).toBe(emptyState(DRIVE_A).hash.root());
  });
});
