import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { organizationCommands } from '../../domain/organization/commands.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { Table } from '../../domain/kernel/table.js';
import { OWNER } from '../../domain/testing/drive.js';
import { emptyState, foldOnto } from '../fold/fold.js';
import { UndoHistory } from '../past/undo-history.js';
import { RepeatQuery } from '../../read-model/port.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { Abandoned, runForQuery } from '../tasks/long-query.js';
import { DRIVE_A, EngineSpec, request } from '../testing/engine.js';
import { TurnCounter, until } from '../testing/turn-counter.js';
import type { Drive } from './drive.js';

const GROUPS = 600;
/** How long a change of a record holds the event loop, ms. */
const SLOW_MS = 0.1;
const NEXT_OWNER = 'UserID_next';
const { SuperswapUser } = organizationCommands;

/** Each change of a record takes so long that an event with many must not be one turn. */
function slowDown(changed: () => void = () => {}, slow_ms = SLOW_MS): void {
  const prototype = Table.prototype as unknown as { replace(...given: unknown[]): unknown };
  const { replace } = prototype;
  jest.spyOn(prototype, 'replace').mockImplementation(function (this: unknown, ...given) {
    until(performance.now() + slow_ms);
    changed();
    return replace.apply(this, given);
  });
}

describe('an event that changes many records', () => {
  let spec: EngineSpec;
  /** Revision of the last event before it. */
  let before: number;
  beforeEach(async () => {
    // However slow the machine is, queries wait for what they meet.
    spec = new EngineSpec({ limits: { read_wait_ms: 600_000 } });
    await spec.spawn();
    await Promise.all(Array.from({ length: GROUPS }, (_, at) => spec.group(`G${at}`)));
    before = (await spec.drives.open(DRIVE_A)).head.revision;
  });
  afterEach(() => void jest.restoreAllMocks());

  const swap = (more: object = {}) =>
    spec.drives.commands.run(
      DRIVE_A,
      SuperswapUser,
      { current_user_id: OWNER, new_user_id: NEXT_OWNER },
      { ...request({ kind: 'signature', user_id: OWNER }), ...more },
    );
  const ownersIn = ({ organization, groups }: DriveState): ReadonlySet<string> =>
    new Set([organization.owner_id, ...[...groups.values()].map(({ owner }) => owner)]);
  const look = () =>
    spec.drives.read(DRIVE_A, async ({ state, head }) => {
      return { owners: [...ownersIn(state)], revision: head.revision };
    });
  const foldedTo = async (to: number): Promise<FoldedState> => {
    const folded = emptyState(DRIVE_A);
    await foldOnto(folded, spec.events, { to });
    return folded;
  };
  const rootOf = async (to: number): Promise<string> => (await foldedTo(to)).hash.root();
  const rootNow = async (): Promise<string> => (await spec.drives.open(DRIVE_A)).folded.hash.root();

  it('leaves turns to others while it is decided', async () => {
    slowDown();
    const turns = new TurnCounter().start();
    expect(await swap()).toMatchObject({ revision: before + 1 });
    // At least 1,200 changes, 50 at once.
    expect(turns.stop()).toBeGreaterThan(20);
    expect(await rootNow()).toBe(await rootOf(before + 1));
  });

  it('is seen as a whole or not at all, and other commands wait for it', async () => {
    slowDown();
    const swapping = swap();
    const reads: ReturnType<typeof look>[] = [];
    const reading = setInterval(() => reads.push(look()), 1);
    const noted = spec.note();
    await swapping;
    clearInterval(reading);
    expect(await noted).toMatchObject({ revision: before + 2 });
    const seen = await Promise.all(reads);
    expect(seen.length).toBeGreaterThan(5);
    for (const { owners, revision } of seen)
      expect(owners).toEqual([revision === before ? OWNER : NEXT_OWNER]);
  });

  it('leaves turns to others while it is tried, and nothing of it is seen or stays', async () => {
    const root = await rootNow();
    slowDown();
    const turns = new TurnCounter().start();
    const tried = swap({ dry_run: true });
    const reads: ReturnType<typeof look>[] = [];
    const reading = setInterval(() => reads.push(look()), 1);
    const noted = spec.note();
    expect(await tried).toMatchObject({ revision: before });
    // To make 1,200 changes and to undo them.
    expect(turns.stop()).toBeGreaterThan(22);
    clearInterval(reading);
    expect(await noted).toMatchObject({ revision: before + 1 });
    expect(reads.length).toBeGreaterThan(5);
    for (const { owners } of await Promise.all(reads)) expect(owners).toEqual([OWNER]);
    expect(await rootNow()).toBe(root);
  });

  it('is not seen by a query that has waited for the dry run before', async () => {
    slowDown();
    const drive = await spec.drives.open(DRIVE_A);
    const first = swap({ dry_run: true });
    while (drive.is_durable) await nextTurn();
    const second = swap({ dry_run: true });
    const seen: (readonly string[])[] = [];
    // What queries do after their wait: they find records, and show them.
    const reading = spec.drives.read(DRIVE_A, async ({ state }) => {
      for (let at = 0; at < 20; at++) {
        seen.push([...ownersIn(state)]);
        await Promise.resolve();
      }
    });
    await Promise.all([first, second, reading]);
    for (const owners of seen) expect(owners).toEqual([OWNER]);
  });

  it('holds no command up for longer than one dry run, however many are waiting', async () => {
    const order: string[] = [];
    const ended = (what: string, work: Promise<unknown>) => work.then(() => order.push(what));
    const drive = await spec.drives.open(DRIVE_A);
    const first = ended('first', swap({ dry_run: true }));
    while (drive.is_durable) await nextTurn();
    const others = ['second', 'third'].map((name) => ended(name, swap({ dry_run: true })));
    await Promise.all([first, ...others, ended('command', spec.note())]);
    expect(order.indexOf('command')).toBeLessThan(order.indexOf('third'));
  });

  it('is not tried for a caller that has disconnected meanwhile', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const first = swap({ dry_run: true });
    while (drive.is_durable) await nextTurn();
    const caller = new AbortController();
    const second = swap({ dry_run: true, signal: caller.signal });
    const third = swap({ dry_run: true, signal: new AbortController().signal });
    caller.abort();
    await expect(second).rejects.toThrow(Abandoned);
    expect(await Promise.all([first, third])).toHaveLength(2);
  });

  it('is repeated without end, and queries that need an index are answered nevertheless', async () => {
    const list = ({ reads }: Drive) =>
      reads!.list(DRIVE_A, {
        ...{ family: 'groups', direction: 'ASC', page_size: 1, visible: 'all' },
      });
    let is_answered = false;
    const listed = async (): Promise<number> => {
      for (let repetitions = 0; ; repetitions++)
        try {
          return (await spec.drives.read(DRIVE_A, list)).total;
        } catch (error) {
          if (!(error instanceof RepeatQuery) || repetitions === 2) throw error;
        }
    };
    const trying = async (): Promise<void> => {
      while (!is_answered) await swap({ dry_run: true });
    };
    await Promise.all(Array.from({ length: 2_400 }, (_, at) => spec.group(`More ${at}`)));
    const total = await listed();
    slowDown(() => {}, SLOW_MS / 4);
    const tried = [trying(), trying()];
    while ((await spec.drives.open(DRIVE_A)).is_durable) await nextTurn();
    const listing = listed().finally(() => (is_answered = true));
    expect(await Promise.allSettled([listing, ...tried])).toMatchObject([{ value: total }, {}, {}]);
  });

  it('is rolled back as a whole if its append fails', async () => {
    const root = await rootNow();
    spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
    const swapping = swap();
    await expect(swapping).rejects.toMatchObject({ reason: 'store-failed' });
    expect(await rootNow()).toBe(root);
    expect(await spec.note()).toMatchObject({ revision: before + 1 });
  });

  describe('in a fold', () => {
    beforeEach(async () => void (await swap()));

    /** Work for a caller that disconnects after so many changes of records. */
    const abandoned = async (changes: number, work: () => Promise<unknown>): Promise<void> => {
      const gone = new AbortController();
      let left = changes;
      slowDown(() => {
        if (--left === 0) gone.abort();
      });
      const query = { signal: gone.signal, begin() {}, folded() {}, end() {} };
      await expect(runForQuery(query, work)).rejects.toThrow(Abandoned);
      jest.restoreAllMocks();
    };

    it('leaves turns to others', async () => {
      const folded = await foldedTo(before);
      slowDown();
      const turns = new TurnCounter().start();
      await foldOnto(folded, spec.events, { to: before + 1 });
      expect(turns.stop()).toBeGreaterThan(20);
    });

    it('is applied as a whole or not at all', async () => {
      const folded = await foldedTo(before);
      const fold = () => foldOnto(folded, spec.events, { to: before + 1 });
      await abandoned(300, fold);
      expect(folded.state.revision).toBe(before);
      expect(folded.hash.root()).toBe(await rootOf(before));
      await fold();
      expect(folded.hash.root()).toBe(await rootOf(before + 1));
    });

    it('leaves no trace in the history of a state if its caller disconnects', async () => {
      const history = new UndoHistory(10_000);
      const folded = await foldedTo(before - 2);
      const { state } = folded;
      const foldTo = (to: number) =>
        foldOnto(folded, spec.events, { to, undo_steps: history }).then(() => {});
      await foldTo(before);
      const touched = history.lastTouched(state);
      await abandoned(300, () => foldTo(before + 1));
      expect(history.lastTouched(state)).toEqual(touched);
      await foldTo(before + 1);
      for (const to of [before, before - 1, before, before + 1]) {
        await history.moveTo(state, to);
        expect([to, state.revision, folded.hash.root()]).toEqual([to, to, await rootOf(to)]);
      }
    });

    it('is undone and made again in turns, and as a whole', async () => {
      const history = new UndoHistory(10_000);
      const folded = await foldedTo(before - 2);
      await foldOnto(folded, spec.events, { to: before + 1, undo_steps: history });
      const { state } = folded;
      for (const [to, from] of [
        [before, before + 1],
        [before + 1, before],
      ] as const) {
        await abandoned(700, () => history.moveTo(state, to));
        // Nobody waits any more, but the state is still of use.
        expect([state.revision, folded.hash.root()]).toEqual([to, await rootOf(to)]);
        await history.moveTo(state, from);
        slowDown();
        const turns = new TurnCounter().start();
        await history.moveTo(state, to);
        // 500 at once.
        expect(turns.stop()).toBeGreaterThan(1);
        jest.restoreAllMocks();
        expect(folded.hash.root()).toBe(await rootOf(to));
      }
    });

    it('hides a past state that it is being undone in', async () => {
      const { past_states } = spec.drives;
      // Of the last change that it makes, so of the first one to be undone.
      const key = { family: 'contacts', id: NEXT_OWNER };
      const read = (revision: number) =>
        past_states.read(DRIVE_A, revision, ({ folded }) => ownersIn(folded.state));
      await read(before);
      await read(before + 1);
      const remembered = () => past_states.recordAt(DRIVE_A, key, before + 1, 10);
      const known = remembered();
      expect(known?.record).toBeDefined();
      slowDown();
      const reading = read(before);
      const seen: ReturnType<typeof remembered>[] = [];
      const looking = setInterval(() => seen.push(remembered()), 1);
      expect(await reading).toEqual(new Set([OWNER]));
      clearInterval(looking);
      expect(seen).toContain(null);
      for (const one of seen) expect([null, known]).toContainEqual(one);
    });
  });
});
