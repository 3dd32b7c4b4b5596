import { emptyState, foldOnto } from '../fold/fold.js';
import { type FoldedState, writeSnapshot } from '../snapshots/snapshot.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { snapshotDrift } from './drift.js';

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

  it('counts another place in the stream as one', async () => {
    other.state.timestamp_ms++;
    expect(await drift()).toBe(1);
  });
});
