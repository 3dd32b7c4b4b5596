import { jest } from '@jest/globals';
import {
  AppendOutcomeUnknown,
  type NewEvent,
  StoreUnreachable,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import { isRefused } from './call.js';
import { groupCommands } from '../../domain/groups/definitions.js';
import { OWNER } from '../../domain/testing/drive.js';
import { DurableModel } from '../testing/durable-model.js';
import { DRIVE_A, EngineSpec, request, SPEC_SCHEMA } from '../testing/engine.js';
import { FIRST_PAGE } from '../fold/stream-pages.js';
import { type AppendFault, Gate } from '../testing/faulty-events.js';

const fails: AppendFault = () => Promise.reject(new Error('the disk is full'));
const storedButUnknown: AppendFault = async (store) => {
  await store();
  throw new AppendOutcomeUnknown('no answer');
};
const unreachable: AppendFault = () => Promise.reject(new StoreUnreachable('refused'));
const lost: AppendFault = () => Promise.reject(new AppendOutcomeUnknown('no answer'));

const idsOf = (events: readonly NewEvent[]): string[] => events.map(({ event_id }) => event_id);

describe('a drive whose store misbehaves', () => {
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
  });

  /** Live state, read model and stream must tell the same. */
  const expectWhole = async (...names: string[]): Promise<void> => {
    const drive = await spec.drives.open(DRIVE_A);
    const folded = await spec.folded();
    expect(drive.folded.hash.root()).toBe(folded.hash.root());
    expect(drive.folded.frontier.toJSON()).toEqual(folded.frontier.toJSON());
    expect(drive.head.revision).toBe(folded.state.revision);
    const groups = [...folded.state.groups.values()].map(({ name }) => name);
    expect(groups).toEqual(['Group for All', ...names]);
    expect(await spec.listedGroups()).toEqual(groups.sort());
  };

  it('undoes a batch that the store refuses, tells its callers, and goes on', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const before = { head: drive.head, hash: drive.folded.hash.root() };
    spec.events.onAppend(fails);
    const results = await Promise.allSettled([spec.group('A'), spec.group('B')]);
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'store-failed' } });
    expect(drive.head).toEqual(before.head);
    expect(drive.folded.hash.root()).toBe(before.hash);
    expect(drive.state.timestamp_ms).toBe(drive.head.timestamp_ms);
    await expectWhole();
    await spec.group('C');
    await expectWhole('C');
  });

  it('repeats exactly the same batch while the outcome is unknown: stored the first time', async () => {
    spec.events.onAppend(storedButUnknown, storedButUnknown);
    await expect(spec.group('A')).resolves.toMatchObject({ data: { name: 'A' } });
    const [first, second, third] = spec.events.asked.slice(-3);
    expect(idsOf(second!.events)).toEqual(idsOf(first!.events));
    expect(third).toEqual(first);
    await expectWhole('A');
  });

  it('repeats exactly the same batch while the outcome is unknown: not stored the first time', async () => {
    spec.events.onAppend(lost, lost);
    await expect(spec.group('A')).resolves.toMatchObject({ data: { name: 'A' } });
    expect(spec.events.asked.at(-1)).toEqual(spec.events.asked.at(-3));
    await expectWhole('A');
  });

  it('answers at once that nothing happened when no server is there to send to', async () => {
    const before = spec.events.asked.length;
    const reads = jest.spyOn(spec.events, 'head');
    spec.events.onAppend(unreachable);
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'store-unavailable' });
    expect(spec.events.asked).toHaveLength(before + 1);
    expect(reads).not.toHaveBeenCalled();
    await expectWhole();
    await spec.group('B');
    await expectWhole('B');
  });

  it('says so, too, where no server can tell what another writer wrote', async () => {
    spec.events.onAppend(() => Promise.reject(new WrongExpectedRevision('drive', 1, 2)));
    spec.events.onRead(() => Promise.reject(new StoreUnreachable('refused')));
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'store-unavailable' });
    await spec.group('B');
    await expectWhole('B');
  });

  it('repeats what was sent once though no server is there any more, until one is', async () => {
    spec.events.onAppend(storedButUnknown, unreachable, unreachable);
    await expect(spec.group('A')).resolves.toMatchObject({ data: { name: 'A' } });
    await expectWhole('A');
  });

  it('does not say that nothing happened of what was sent once', async () => {
    spec.events.onAppend(storedButUnknown, async () => {
      spec.now += 60_000;
      throw new StoreUnreachable('refused');
    });
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'outcome-unknown' });
  });

  it('lets no new command join a repeated batch', async () => {
    const gate = new Gate();
    spec.events.onAppend(lost, gate.hold);
    const first = spec.group('A');
    await gate.reached;
    const second = spec.group('B');
    gate.open();
    await Promise.all([first, second]);
    const batches = spec.events.asked.slice(-3).map(({ events }) => events.length);
    expect(batches).toEqual([1, 1, 1]);
    await expectWhole('A', 'B');
  });

  /** The clock passes the deadline while the store is silent. */
  const beyondDeadline: AppendFault = async () => {
    spec.now += 60_000;
    throw new AppendOutcomeUnknown('no answer');
  };

  it('gives up at the deadline, and what lands late is folded in before the next decision', async () => {
    let late: () => Promise<unknown> = async () => {};
    spec.events.onAppend((store) => {
      late = store;
      return beyondDeadline(store, spec.events.asked.at(-1)!);
    });
    await expect(spec.group('Late', 'GroupID_same')).rejects.toMatchObject({
      reason: 'outcome-unknown',
    });
    await expectWhole();
    await late();
    const outcome = await spec.group('Again', 'GroupID_same');
    expect(outcome).toMatchObject({ refusal: { refusal: 'id-in-use' } });
    await expectWhole('Late');
  });

  it('gives up at the deadline although the clock was set back', async () => {
    const { store: events } = spec.events;
    const late = new EngineSpec({ events, side: spec.side, limits: { append_deadline_ms: 100 } });
    const setBack: AppendFault = async () => {
      late.setClock(-3_600_000);
      throw new AppendOutcomeUnknown('no answer');
    };
    late.events.onAppend(setBack, ...Array.from({ length: 1_000 }, () => lost));
    await expect(late.group('Late')).rejects.toMatchObject({ reason: 'outcome-unknown' });
  });

  it('finds at the deadline what landed in silence', async () => {
    spec.events.onAppend(async (store) => {
      await store();
      return beyondDeadline(store, spec.events.asked.at(-1)!);
    });
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'outcome-unknown' });
    await expectWhole('A');
  });

  describe('when another writer was first', () => {
    /** A second process on the same stores. */
    const rivalWrites = async (name: string, id?: string): Promise<void> => {
      const rival = spec.restarted();
      rival.now = spec.now;
      await rival.group(name, id);
    };
    const rivalFirst =
      (name: string, id?: string): AppendFault =>
      async (store) => {
        await rivalWrites(name, id);
        return store();
      };

    it('decides anew on the new state', async () => {
      spec.events.onAppend(rivalFirst('Theirs', 'GroupID_same'));
      const outcome = await spec.group('Mine', 'GroupID_same');
      expect(outcome).toMatchObject({ refusal: { refusal: 'id-in-use' } });
      await expectWhole('Theirs');
    });

    it('numbers and times its events behind theirs', async () => {
      spec.events.onAppend(async (store) => {
        spec.now += 5_000;
        await rivalWrites('Theirs');
        spec.now -= 5_000;
        return store();
      });
      const outcome = await spec.group('Mine');
      expect(outcome.revision).toBe(2);
      const [theirs, mine] = await spec.events.readStream(`drive-${DRIVE_A}`, 1, 'forward', 2);
      expect(mine!.timestamp_ms).toBe(theirs!.timestamp_ms);
      await expectWhole('Theirs', 'Mine');
    });

    it('keeps the order in which its commands came', async () => {
      spec.events.onAppend(rivalFirst('Theirs'));
      const outcomes = await Promise.all(['A', 'B', 'C'].map((name) => spec.group(name)));
      expect(outcomes.map(({ revision }) => revision)).toEqual([2, 3, 4]);
      await expectWhole('Theirs', 'A', 'B', 'C');
    });

    it('gives up after as many tries as allowed, and tells so', async () => {
      spec = new EngineSpec({ limits: { conflict_wait_ms: 0 } });
      await spec.spawn();
      const retries = 5;
      spec.events.onAppend(
        ...Array.from({ length: retries + 1 }, (_, at) => rivalFirst(`Theirs ${at}`)),
      );
      await expect(spec.group('Mine')).rejects.toMatchObject({ reason: 'conflict' });
      const names = Array.from({ length: retries + 1 }, (_, at) => `Theirs ${at}`);
      await expectWhole(...names);
      await spec.group('Mine');
      await expectWhole(...names, 'Mine');
    });

    it('a refusal that rested on an event of the lost batch is decided anew too', async () => {
      spec.events.onAppend(async (store) => {
        // The other writer takes another id, so after it the second command still comes too late.
        await rivalWrites('Theirs');
        return store();
      });
      const [first, second] = await Promise.all([
        spec.group('One', 'GroupID_same'),
        spec.group('Two', 'GroupID_same'),
      ]);
      expect(isRefused(first)).toBe(false);
      expect(second).toMatchObject({ refusal: { refusal: 'id-in-use' }, revision: 2 });
      await expectWhole('Theirs', 'One');
    });

    it('comes back from a failure in the middle of catching up, with nothing applied twice', async () => {
      const rival = spec.restarted();
      // More than one page of events, so that the second page can fail.
      for (let at = 0; at < 11; at++)
        await Promise.all(Array.from({ length: 100 }, () => rival.note(at)));
      spec.events.onFold(
        (read) => read(),
        () => Promise.reject(new Error('connection lost')),
      );
      await expect(spec.group('A')).rejects.toMatchObject({ reason: 'store-failed' });
      const drive = await spec.drives.open(DRIVE_A);
      expect(drive.head.revision).toBe(FIRST_PAGE);
      expect(drive.state.revision).toBe(FIRST_PAGE);
      await spec.group('B');
      await expectWhole('B');
    });
  });

  it.each([
    ['in one page', 4, 'onRead', 0],
    ['in several, of which the first is read again', 300, 'onFold', 2],
  ] as const)('a gap in what comes back %s is never folded in', async (_, events, read, head) => {
    const rival = spec.restarted();
    for (let at = 0; at < events; at++) await rival.note(at);
    spec.events[read](async (answer) => (await answer()).filter((__, at) => at !== 2));
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'store-failed' });
    const drive = await spec.drives.open(DRIVE_A);
    expect(drive.head.revision).toBe(head);
    await spec.group('B');
    await expectWhole('B');
  });

  it('an event that cannot be applied leaves the state whole before it', async () => {
    const rival = spec.restarted();
    await rival.group('Theirs');
    await rival.group('Broken');
    spec.events.onRead(async (read) =>
      (await read()).map((event, at) => (at === 1 ? { ...event, data: '{' } : event)),
    );
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'store-failed' });
    const drive = await spec.drives.open(DRIVE_A);
    expect(drive.head.revision).toBe(1);
    await spec.group('B');
    await expectWhole('Theirs', 'Broken', 'B');
  });

  it('queries see nothing of a small batch in flight, without waiting, then all of it', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const writing = spec.group('A');
    await gate.reached;
    const groups = () => spec.drives.readAtOnce(DRIVE_A, ({ state }) => state.groups.size);
    expect(groups()).toBe(1);
    expect(groups()).toBe(1);
    gate.open();
    expect(await writing).toMatchObject({ data: { name: 'A' } });
    expect(groups()).toBe(2);
    await expectWhole('A');
  });

  it('a batch that readers rolled back and the store then refuses leaves nothing', async () => {
    const gate = new Gate();
    spec.events.onAppend(async () => {
      await gate.pass();
      throw new Error('the disk is full');
    });
    const writing = spec.group('A').catch(() => 'failed');
    await gate.reached;
    expect(spec.drives.readAtOnce(DRIVE_A, ({ state }) => state.groups.size)).toBe(1);
    gate.open();
    expect(await writing).toBe('failed');
    await expectWhole();
    await spec.group('B');
    await expectWhole('B');
  });

  it('a batch that readers rolled back is appended with its idempotency keys', async () => {
    const keyed = {
      ...request({ kind: 'signature', user_id: OWNER }),
      idempotency: { key: 'key', body: 'body' },
    };
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const create = () =>
      spec.drives.commands.run(
        DRIVE_A,
        groupCommands.CreateGroup,
        { name: 'A', fresh: { group_id: 'GroupID_k', invite_id: 'GroupInviteID_k' } },
        keyed,
      );
    const writing = create();
    await gate.reached;
    expect(spec.drives.readAtOnce(DRIVE_A, ({ state }) => state.groups.size)).toBe(1);
    gate.open();
    await writing;
    expect(await create()).toMatchObject({ is_repeated: true });
    await expectWhole('A');
  });

  /** Commands of one batch that is too large to be rolled back for readers. */
  const largeBatch = () =>
    Promise.allSettled(Array.from({ length: 33 }, (_, nth) => spec.group(`G${nth}`)));

  it('queries see nothing of a large batch in flight, then all of it', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const writing = largeBatch();
    await gate.reached;
    let answered = false;
    const reading = spec.drives
      .read(DRIVE_A, ({ state }) => state.groups.size)
      .finally(() => (answered = true));
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    gate.open();
    expect(await reading).toBe(34);
    await writing;
  });

  it('queries see nothing of a batch that was undone', async () => {
    const gate = new Gate();
    spec.events.onAppend(async () => {
      await gate.pass();
      throw new Error('the disk is full');
    });
    const writing = largeBatch();
    await gate.reached;
    const reading = spec.drives.read(DRIVE_A, ({ state }) => state.groups.size);
    gate.open();
    expect(await reading).toBe(1);
    await writing;
  });

  it('a query that has waited long enough is told that the drive is busy', async () => {
    spec = new EngineSpec({ limits: { read_wait_ms: 1 } });
    await spec.spawn();
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const writing = largeBatch();
    await gate.reached;
    await expect(spec.drives.read(DRIVE_A, () => 'answer')).rejects.toMatchObject({
      reason: 'busy',
    });
    gate.open();
    await writing;
    await expect(spec.drives.read(DRIVE_A, () => 'answer')).resolves.toBe('answer');
  });

  it('a reader waiting between two batches is answered before the second is decided', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const first = largeBatch();
    await gate.reached;
    const reading = spec.drives.read(DRIVE_A, ({ state }) => state.groups.size);
    const second = spec.group('B');
    gate.open();
    expect(await reading).toBe(34);
    await Promise.all([first, second]);
  });

  it('a read model that fails after the append leaves the events and says that the outcome is unknown', async () => {
    const model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ read_model: model });
    await spec.spawn();
    model.before_apply = () => Promise.reject(new Error('out of memory'));
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'outcome-unknown' });
    model.before_apply = () => {};
    await spec.group('B');
    await expectWhole('A', 'B');
  });

  it('WrongExpectedRevision without anything new in the stream is bounded as well', async () => {
    spec = new EngineSpec({ limits: { conflict_wait_ms: 0 } });
    await spec.spawn();
    const always: AppendFault = (_, { stream, expected_revision }) =>
      Promise.reject(new WrongExpectedRevision(stream, expected_revision, expected_revision));
    spec.events.onAppend(...Array.from({ length: 6 }, () => always));
    await expect(spec.group('A')).rejects.toMatchObject({ reason: 'conflict' });
    await expectWhole();
  });
});
