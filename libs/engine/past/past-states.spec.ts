import { groupCommands } from '../../domain/groups/definitions.js';
import type { EngineLimits } from '../drives/limits.js';
import { streamOf } from '../fold/fold.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';
import { answerQuery, type LongQuery } from '../tasks/long-query.js';
import { SNAPSHOT_VERSION, writeSnapshot } from '../snapshots/snapshot.js';
import { PastStates, type ReadableState } from './past-states.js';

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

describe('past states', () => {
  let spec: EngineSpec;
  const started = async (limits: Partial<EngineLimits> = {}): Promise<void> => {
    spec = new EngineSpec({ limits });
    await spec.spawn();
    for (let at = 0; at < 20; at++) await spec.group(`G${at}`);
  };
  beforeEach(() => started());

  /** Walks a span; the revisions that were visited, and the number of events folded for it. */
  async function walk(from: number, to: number) {
    const query = new SpecQuery();
    const visited: number[] = [];
    await answerQuery(query, () =>
      spec.drives.past_states.walk(DRIVE_A, from, to, ({ revision }) => visited.push(revision)),
    );
    return { visited, folded: query.events };
  }

  /** Reads the state at a revision; the number of events folded for it, and what was read. */
  async function read<T>(revision: number, work: (state: ReadableState) => T | Promise<T>) {
    const query = new SpecQuery();
    const got = await answerQuery(query, () =>
      spec.drives.past_states.read(DRIVE_A, revision, work),
    );
    return { got, folded: query.events };
  }

  const look = ({ folded, last_touched }: ReadableState) => ({
    revision: folded.state.revision,
    hash: folded.hash.root(),
    last_touched,
  });

  const expectedAt = async (revision: number) => {
    const { folded, last_touched } = await spec.drives.loader.load(DRIVE_A, { to: revision });
    return { revision, hash: folded.hash.root(), last_touched };
  };

  it('fold only what lies between a query and the one before, in both directions', async () => {
    expect(await walk(12, 15)).toEqual({ visited: [13, 14, 15], folded: 16 });
    expect(await walk(10, 14)).toEqual({ visited: [11, 12, 13, 14], folded: 4 });
    expect(await walk(11, 13)).toEqual({ visited: [12, 13], folded: 2 });
    expect(await walk(15, 16)).toEqual({ visited: [16], folded: 1 });
    expect(await walk(10, 11)).toEqual({ visited: [11], folded: 1 });
    expect(await walk(-1, 1)).toEqual({ visited: [0, 1], folded: 2 });
  });

  it('are prepared once, and only for what reads records by their fields', async () => {
    const order: string[] = [];
    const { loader, past_states } = spec.drives;
    const load = loader.load.bind(loader);
    loader.load = async (...asked) => {
      const loaded = await load(...asked);
      const { state } = loaded.folded;
      const indexing = state.indexing.bind(state);
      state.indexing = (deciding) => {
        order.push('prepared');
        return indexing(deciding);
      };
      return loaded;
    };
    const work = (what: string) => () => void order.push(what);
    await past_states.use(DRIVE_A, 5, 6, null, work('used'));
    expect(order).toEqual(['used']);
    expect(past_states.timeAt(DRIVE_A, 6)).toBeUndefined();
    await read(6, work('read'));
    expect(past_states.timeAt(DRIVE_A, 6)).toBeDefined();
    await read(6, work('read'));
    await past_states.walk(DRIVE_A, 5, 6, work('visited'));
    expect(order).toEqual(['used', 'prepared', 'read', 'read', 'visited']);
    past_states.forget(DRIVE_A);
    order.length = 0;
    await past_states.use(DRIVE_A, 5, 6, work('visited'), work('used'));
    await read(6, work('read'));
    expect(order).toEqual(['prepared', 'visited', 'used', 'read']);
  });

  it('are read as folded, wherever they come from', async () => {
    for (const [revision, folded] of [
      [5, 6],
      [9, 4],
      [7, 0],
      [8, 0],
      [0, 0],
      [9, 0],
      [10, 1],
    ] as const)
      expect(await read(revision, look)).toEqual({ got: await expectedAt(revision), folded });
  });

  it('go forward again without the events that they were moved back over', async () => {
    const [early, late] = [await expectedAt(4), await expectedAt(14)];
    await read(15, look);
    spec.events.onFold(() => Promise.reject(new Error('the store is closed')));
    expect((await read(4, look)).got).toEqual(early);
    expect((await read(14, look)).got).toEqual(late);
    await expect(read(16, look)).rejects.toThrow('the store is closed');
  });

  it('remember records of points that they can be moved to, and stay where they are', async () => {
    const { past_states, loader } = spec.drives;
    const key = { family: 'groups', id: 'GroupID_g' };
    await spec.group('G', key.id);
    const created = (await spec.drives.open(DRIVE_A)).head.revision;
    for (const name of ['G2', 'G3'])
      await spec.run(groupCommands.UpdateGroup, { id: key.id, name });
    await spec.run(groupCommands.DeleteGroup, { id: key.id });
    const head = created + 3;
    const remembered = (revision: number) =>
      past_states.recordAt(DRIVE_A, key, revision, head)?.record;
    expect(past_states.recordAt(DRIVE_A, key, created, head)).toBeNull();
    await read(head, look);
    for (const at of [head, created - 2, created + 1]) {
      await read(at, look);
      for (let revision = created - 1; revision <= head; revision++) {
        const { folded } = await loader.load(DRIVE_A, { to: revision });
        expect(remembered(revision)).toEqual(folded.state.groups.get(key.id));
      }
      expect(past_states.timeAt(DRIVE_A, at)).toBeDefined();
    }
    expect(past_states.recordAt(DRIVE_A, key, created, 0)).toBeNull();
    expect(past_states.recordAt(DRIVE_A, key, head + 1, head)).toBeNull();
  });

  it('are there at once for who asks again', async () => {
    const { past_states } = spec.drives;
    expect(past_states.timeAt(DRIVE_A, 7)).toBeUndefined();
    await read(7, look);
    const [event] = await spec.events.readStream(streamOf(DRIVE_A), 7, 'forward', 1);
    expect(past_states.timeAt(DRIVE_A, 7)).toBe(event!.timestamp_ms);
    expect(past_states.read(DRIVE_A, 7, ({ folded }) => folded.state.revision)).toBe(7);
    // Back and forth again, by undoing and redoing.
    for (const revision of [3, 5, 7]) await read(revision, look);
    expect(past_states.timeAt(DRIVE_A, 7)).toBe(event!.timestamp_ms);
  });

  it('are shared by walks and reads at one time', async () => {
    const walks = await Promise.all([walk(9, 12), walk(9, 12), walk(11, 14)]);
    expect(walks.map(({ folded }) => folded)).toEqual([13, 3, 3]);
    const reads = await Promise.all([7, 7, 8, 20].map((revision) => read(revision, look)));
    expect(reads.map(({ got: { revision } }) => revision)).toEqual([7, 7, 8, 20]);
    expect(reads.reduce((sum, { folded }) => sum + folded, 0)).toBe(6);
  });

  it('stay where they are while they are read', async () => {
    const gate = new Gate();
    const reading = read(7, async (state) => {
      await gate.pass();
      return look(state);
    });
    await gate.reached;
    expect((await read(7, look)).got.revision).toBe(7);
    const others = [read(9, look), walk(3, 5)];
    gate.open();
    expect((await reading).got).toEqual(await expectedAt(7));
    expect((await read(9, look)).got).toEqual(await expectedAt(9));
    await Promise.all(others);
  });

  it('are loaded anew only from a snapshot that is nearer', async () => {
    const { events, loader, side } = spec.drives;
    const bounds = { past_bytes: Infinity, state_bytes: Infinity, far: 2 };
    const past_states = new PastStates({ events, loader, ...bounds });
    const folded = async (revision: number): Promise<number> => {
      const query = new SpecQuery();
      await answerQuery(query, () => past_states.read(DRIVE_A, revision, () => true));
      return query.events;
    };
    expect(await folded(3)).toBe(4);
    expect(await folded(9)).toBe(6);
    const at_12 = await loader.load(DRIVE_A, { to: 12 });
    await side.snapshots.put({
      ...{ drive_id: DRIVE_A, state_version: SNAPSHOT_VERSION, revision: 12 },
      event_hash: at_12.last_event!.hash,
      body: await writeSnapshot(at_12.folded),
    });
    expect(await folded(10)).toBe(1);
    expect(await folded(16)).toBe(4);
  });

  it('are free again after work that failed', async () => {
    const failing = (): never => {
      throw new Error('no');
    };
    await expect(read(7, failing)).rejects.toThrow('no');
    await expect(read(7, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await walk(8, 9)).toEqual({ visited: [9], folded: 2 });
  });

  it('beyond the budget go, the least recently used first, never the newest', async () => {
    const others = ['DriveID_b', 'DriveID_c'];
    const there = async (past_cache_bytes: number): Promise<string[]> => {
      await started({ past_cache_bytes });
      for (const drive_id of others) await spec.spawn(drive_id);
      const { past_states } = spec.drives;
      const all = [DRIVE_A, ...others];
      for (const drive_id of [...all, DRIVE_A])
        await past_states.read(drive_id, 0, ({ folded: { state } }) =>
          // Each record is estimated at 800 bytes, each change that can be undone at 300.
          sizes.push(state.record_count * 800 + state.undo_log.mark() * 250),
        );
      return all.filter((drive_id) => past_states.timeAt(drive_id, 0) !== undefined);
    };
    const sizes: number[] = [];
    const [a, b, c] = [DRIVE_A, ...others];
    expect(await there(1_000_000)).toEqual([a, b, c]);
    expect(new Set(sizes).size).toBe(1);
    // The state of A is asked for again, so that of C is the one before it.
    expect(await there(2 * sizes[0]!)).toEqual([a, c]);
    expect(await there(sizes[0]!)).toEqual([a]);
    expect(await there(0)).toEqual([a]);
  });

  describe('of one drive', () => {
    /** Reads at revisions with states of their own; the number of events folded for each. */
    async function readAll(past_states: PastStates, revisions: readonly number[]) {
      const folded: number[] = [];
      for (const revision of revisions) {
        const query = new SpecQuery();
        await answerQuery(query, () => past_states.read(DRIVE_A, revision, () => true));
        folded.push(query.events);
      }
      return folded;
    }
    const statesOf = (bounds: { past_bytes: number; spread?: number }): PastStates => {
      const { events, loader } = spec.drives;
      return new PastStates({ events, loader, state_bytes: Infinity, ...bounds });
    };

    it('are eight at points far from each other, of which the nearest one moves', async () => {
      const past_states = statesOf({ past_bytes: Infinity, spread: 1 });
      const points = [2, 4, 6, 8, 10, 12, 14, 16, 18];
      expect(await readAll(past_states, points)).toEqual([3, 5, 7, 9, 11, 13, 15, 17, 2]);
      const there = points.filter((at) => past_states.timeAt(DRIVE_A, at));
      expect(there).toEqual([2, 4, 6, 8, 10, 12, 14, 18]);
      expect(await readAll(past_states, [9, 3, 17])).toEqual([0, 0, 0]);
    });

    it('are one while points are near, and if it is large', async () => {
      expect(await readAll(statesOf({ past_bytes: Infinity }), [2, 18])).toEqual([3, 16]);
      const small = statesOf({ past_bytes: 32 * 1_000, spread: 2 });
      expect(await readAll(small, [2, 18])).toEqual([3, 16]);
    });

    it('are as many as there is room for: none goes for another one', async () => {
      const bytesAt = (past_states: PastStates, drive_id: string, at: number): Promise<number> =>
        Promise.resolve(
          past_states.read(
            drive_id,
            at,
            ({ folded: { state } }) => state.record_count * 800 + state.undo_log.mark() * 250,
          ),
        );
      const other_bytes = await bytesAt(statesOf({ past_bytes: Infinity }), DRIVE_A, 0);
      const bytes = await bytesAt(statesOf({ past_bytes: Infinity }), DRIVE_A, 2);
      // The states of others leave room for one, but not for two, in the three quarters that are for them.
      const others = Array.from({ length: 100 }, (_, nth) => `DriveID_other_${nth}`);
      const past_bytes = (others.length * other_bytes + 1.5 * bytes) / 0.75;
      const past_states = statesOf({ past_bytes, spread: 0.1 });
      for (const drive_id of others) {
        await spec.spawn(drive_id);
        await past_states.read(drive_id, 0, () => true);
      }
      expect(await readAll(past_states, [2, 5])).toEqual([3, 3]);
      for (const drive_id of others) past_states.forget(drive_id);
      expect(await readAll(past_states, [3])).toEqual([4]);
    });

    it('are eight at most, also after parallel work', async () => {
      const past_states = statesOf({ past_bytes: Infinity, spread: 1 });
      const use = (revision: number, gate: Gate) =>
        past_states.use(DRIVE_A, revision, revision, null, async (state) => {
          await state.prepare();
          await gate.pass();
        });
      const gates = [3, 4, 5].map((revision) => ({ revision, gate: new Gate() }));
      const using = gates.map(({ revision, gate }) => use(revision, gate));
      for (const { gate } of gates) await gate.reached;
      await readAll(past_states, [7, 9, 11, 13, 15, 17]);
      for (const { gate } of gates) gate.open();
      await Promise.all(using);
      const points = [3, 4, 5, 7, 9, 11, 13, 15, 17];
      const there = points.filter((at) => past_states.timeAt(DRIVE_A, at));
      expect(there).toEqual([3, 4, 5, 9, 11, 13, 15, 17]);
    });
  });

  it('are two where queries need two near each other, so that neither is loaded again', async () => {
    const { past_states } = spec.drives;
    const difference = (from: number, to: number): Promise<number> =>
      past_states.use(DRIVE_A, from, from, null, () =>
        past_states.use(DRIVE_A, to, to, null, (_, { events_folded }) => events_folded),
      );
    expect(await difference(8, 11)).toBe(12);
    expect(await difference(9, 12)).toBeLessThanOrEqual(4);
  });

  it('are dropped when the drive’s opened data must go, also one in use', async () => {
    const { past_states } = spec.drives;
    await walk(9, 12);
    past_states.forget('DriveID_other');
    expect(await walk(9, 12)).toMatchObject({ folded: 3 });
    past_states.forget(DRIVE_A);
    expect(await walk(9, 12)).toMatchObject({ folded: 13 });
    await past_states.use(
      DRIVE_A,
      9,
      12,
      () => {},
      () => past_states.forget(DRIVE_A),
    );
    expect(await walk(9, 12)).toMatchObject({ folded: 13 });
    await read(12, () => past_states.forget(DRIVE_A));
    expect(past_states.timeAt(DRIVE_A, 12)).toBeUndefined();
  });

  it('of long work do not hold up walks on the same drive', async () => {
    const gate = new Gate();
    const long = spec.drives.past_states.use(
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
