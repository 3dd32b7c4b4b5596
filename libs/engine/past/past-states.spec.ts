import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { answerQuery, type LongQuery } from '../tasks/long-query.js';

/** Counts the events that it folds. */
class SpecQuery implements LongQuery {
  readonly signal = new AbortController().signal;
  events = 0;
  begin(): void {}
  folded(events: number): void {
    this.events += events;
  }
  end(): void {}
}

describe('moving states', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (let at = 0; at < 20; at++) await spec.group(`G${at}`);
  });

  /** Walks a span; the revisions that were visited, and the number of events folded for it. */
  async function walk(from: number, to: number) {
    const query = new SpecQuery();
    const visited: number[] = [];
    await answerQuery(query, () =>
      spec.drives.moving_states.walk(DRIVE_A, from, to, ({ revision }) => visited.push(revision)),
    );
    return { visited, folded: query.events };
  }

  it('fold only what lies between a query and the one before, in both directions', async () => {
    expect(await walk(12, 15)).toEqual({ visited: [13, 14, 15], folded: 16 });
    expect(await walk(10, 14)).toEqual({ visited: [11, 12, 13, 14], folded: 15 });
    // The first walk can be undone back to 12, the second back to 10.
    expect(await walk(11, 13)).toEqual({ visited: [12, 13], folded: 2 });
    expect(await walk(15, 16)).toEqual({ visited: [16], folded: 3 });
    expect(await walk(10, 11)).toEqual({ visited: [11], folded: 1 });
  });

  it('are shared by walks at one time', async () => {
    const walks = await Promise.all([walk(9, 12), walk(9, 12), walk(11, 14)]);
    expect(walks.map(({ folded }) => folded)).toEqual([13, 3, 3]);
  });

  it('are dropped when the drive’s opened data must go, also one in use', async () => {
    await walk(9, 12);
    spec.drives.moving_states.forget('DriveID_other');
    expect(await walk(9, 12)).toMatchObject({ folded: 3 });
    spec.drives.moving_states.forget(DRIVE_A);
    expect(await walk(9, 12)).toMatchObject({ folded: 13 });
    await spec.drives.moving_states.use(
      DRIVE_A,
      9,
      12,
      () => {},
      () => spec.drives.moving_states.forget(DRIVE_A),
    );
    expect(await walk(9, 12)).toMatchObject({ folded: 13 });
  });

  it('of long work do not hold up walks on the same drive', async () => {
    const gate = new Gate();
    const long = spec.drives.moving_states.use(
      DRIVE_A,
      3,
      12,
      () => {},
      () => gate.pass(),
    );
    await gate.reached;
    expect(await walk(9, 12)).toMatchObject({ visited: [10, 11, 12] });
    gate.open();
    await long;
  });

  it('are dropped after a failure', async () => {
    await walk(9, 12);
    spec.events.onFold(() => Promise.reject(new Error('the store is closed')));
    await expect(walk(9, 15)).rejects.toThrow('the store is closed');
    expect(await walk(9, 12)).toEqual({ visited: [10, 11, 12], folded: 13 });
  });
});
