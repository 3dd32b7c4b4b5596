import { createSecretKey } from 'node:crypto';
import { emptyState, foldOnto } from '../fold/fold.js';
import { type FoldedState, writeSnapshot } from '../snapshots/snapshot.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { documentDrift, snapshotDrift } from './drift.js';
import type { ServedDrive } from './served-drive.js';

describe('comparing a snapshot with the fold', () => {
  let spec: EngineSpec;
  let folded: FoldedState;
  let other: FoldedState;

  const fold = async (): Promise<FoldedState> => {
    const state = emptyState(DRIVE_A);
    await foldOnto(state, spec.events, { to: Infinity });
    return state;
  };
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (let at = 0; at < 5; at++) await spec.group(`Group ${at}`);
    [folded, other] = [await fold(), await fold()];
  });
  const drift = async () => snapshotDrift(DRIVE_A, await writeSnapshot(other), folded);
  const retire = ({ state }: FoldedState, ...ids: string[]) =>
    state.undo_log.retireBefore(() => new Set(ids));

  it('finds nothing where both are the same', async () => {
    for (const state of [folded, other]) retire(state, 'GroupID_old', 'GroupID_older');
    expect(await drift()).toBe(0);
  });

  it('counts records that differ, also ones of which only the fold or the snapshot knows', async () => {
    const [first, second, third] = [...other.state.groups.values()];
    other.state.groups.put({ ...first!, name: 'Another' });
    (other.state.groups.get(first!.id) as { revision: number }).revision = first!.revision!;
    other.state.groups.remove(second!.id);
    folded.state.groups.remove(third!.id);
    expect(await drift()).toBe(3);
  });

  it('counts other ids of deleted records as one, whichever side has more', async () => {
    retire(folded, 'GroupID_old');
    expect(await drift()).toBe(1);
    retire(other, 'GroupID_older');
    expect(await drift()).toBe(1);
    retire(other, 'GroupID_old', 'GroupID_older');
    expect(await drift()).toBe(1);
  });

  it('counts other idempotency keys as one, unless they are expired', async () => {
    const note = ({ keys, state }: FoldedState, age_ms: number): void => {
      const timestamp_ms = state.timestamp_ms - age_ms;
      const metadata = JSON.stringify({ idempotency: { key: 'k', body: 'b' } });
      keys.note({ revision: 1, timestamp_ms, metadata });
    };
    note(other, 86_400_000);
    expect(await drift()).toBe(0);
    note(other, 1_000);
    expect(await drift()).toBe(1);
    note(folded, 1_000);
    expect(await drift()).toBe(0);
  });

  it('counts another place in the stream as one', async () => {
    other.state.timestamp_ms++;
    expect(await drift()).toBe(1);
  });
});

describe('comparing a read model with the fold', () => {
  it('counts all records of a large organization whose read model is lost', async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    await spec.group('Group');
    const folded = emptyState(DRIVE_A);
    await foldOnto(folded, spec.events, { to: Infinity });
    const { groups } = folded.state;
    const [group] = [...groups.values()];
    // More than a call takes as arguments.
    for (let nth = 0; nth < 150_000; nth++) groups.put({ ...group!, id: `GroupID_${nth}` });
    const lost: Partial<ServedDrive> = {
      head: async () => folded.state.revision,
      page: async () => ({ ids: [], entries: [], after: null }),
      entries: async () => [],
      exclusively: (task) => task(),
    };
    const question = {
      ...{ drive_id: DRIVE_A, families: ['groups'], has_durable_documents: false },
      head: { revision: folded.state.revision, hash: Buffer.alloc(32) },
      fingerprint_key: createSecretKey(Buffer.alloc(32)),
    };
    const fold = { folded, events: spec.events, keys: spec.side.keys };
    expect(await documentDrift(question, lost as ServedDrive, fold)).toEqual({
      documents: groups.size,
      first_revision: group!.revision,
    });
  });
});
