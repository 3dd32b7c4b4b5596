import type { EngineLimits } from '../drives/limits.js';
import { keptPast } from './past.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';

describe('states of the past', () => {
  let spec: EngineSpec;
  const started = async (limits: Partial<EngineLimits> = {}): Promise<void> => {
    spec = new EngineSpec({ limits });
    await spec.spawn();
    for (let at = 0; at < 20; at++) await spec.group(`Group ${at}`);
  };

  const past = async (revision: number) => {
    const drive = await spec.drives.open(DRIVE_A);
    return keptPast(spec.drives, drive, { revision, at_ms: 0 });
  };

  const foldedTo = async (revision: number) =>
    (await spec.drives.loader.load(DRIVE_A, { to: revision })).folded;

  it('are kept as they were, whatever is folded on from them', async () => {
    await started();
    const early = await past(5);
    expect(early).toMatchObject({ events_folded: 6, snapshot_revision: null, is_live: false });
    const early_hash = (await foldedTo(5)).hash.root();
    expect(early.folded.hash.root()).toBe(early_hash);

    const later = await past(9);
    expect(later).toMatchObject({ events_folded: 4, snapshot_revision: 5 });
    const expected = await foldedTo(9);
    expect(later.folded.hash.root()).toBe(expected.hash.root());
    expect(later.folded.frontier.root()).toEqual(expected.frontier.root());
    expect(early.folded.state.revision).toBe(5);
    expect(early.folded.hash.root()).toBe(early_hash);

    expect(await past(9)).toMatchObject({ events_folded: 0, snapshot_revision: 9 });
    expect((await past(9)).folded).toBe(later.folded);
    expect((await past(9)).last_touched).toEqual(later.last_touched);
  });

  it('are folded once for all who ask at one time', async () => {
    await started();
    const [one, two] = await Promise.all([past(7), past(7)]);
    expect(one.folded).toBe(two.folded);
  });

  it('of the drive’s head stay while the drive goes on', async () => {
    await started();
    const { revision } = (await spec.drives.open(DRIVE_A)).head;
    const head = await past(revision);
    const hash = head.folded.hash.root();
    await spec.group('Later');
    expect(head.folded.state.revision).toBe(revision);
    expect(head.folded.hash.root()).toBe(hash);
  });

  it('are let go of beyond the budget, the least recently used first, never the newest', async () => {
    // The states have 12, 14 and 16 records.
    await started({ past_cache_bytes: 30 * 500 });
    for (const revision of [3, 4, 3, 5]) await past(revision);
    const { past_states } = spec.drives;
    const kept = [3, 4, 5].filter((revision) => past_states.at(DRIVE_A, revision));
    // To fold on from a state is to use it.
    expect(kept).toEqual([4, 5]);
  });

  it('are forgotten with their drive', async () => {
    await started();
    await past(3);
    spec.drives.past_states.forget('DriveID_other');
    expect(spec.drives.past_states.at(DRIVE_A, 3)).toBeDefined();
    spec.drives.past_states.forget(DRIVE_A);
    expect(spec.drives.past_states.at(DRIVE_A, 3)).toBeUndefined();
  });
});
