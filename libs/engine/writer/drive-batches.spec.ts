import { groupCommands } from '../../domain/groups/definitions.js';
import { event } from '../../domain/foundation/events.js';
import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { OWNER, T0 } from '../../domain/testing/drive.js';
import { appendBytes } from '../../event-store/append-rules.js';
import { isRefused, type Outcome } from './call.js';
import { DRIVE_A, EngineSpec, Note, request } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';

/** Writes into the state, then breaks off. */
const Throws: CommandDefinition<{ in_answer: boolean }, never> = {
  name: 'Throws',
  decide(_, { in_answer }) {
    if (!in_answer) throw new Error('a bug in decide');
    return accept(['OWNER'], event('AllowedDomainsUpdated', { allowed_domains: 'half.example' }));
  },
  answer() {
    throw new Error('a bug in answer');
  },
};

const Refuses: CommandDefinition<object, never> = {
  name: 'Refuses',
  decide: () => refuse('forbidden'),
  answer: () => undefined as never,
};

/** Several events in one command. */
const Notes: CommandDefinition<{ payloads: readonly unknown[] }, number> = {
  name: 'Notes',
  decide: (_, { payloads }) =>
    accept(
      ['OWNER'],
      ...payloads.map((payload) =>
        event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload }),
      ),
    ),
  answer: ({ state }) => state.revision,
};

describe('a drive deciding many commands together', () => {
  let spec: EngineSpec;
  const start = async (limits: ConstructorParameters<typeof EngineSpec>[0] = {}): Promise<void> => {
    spec = new EngineSpec(limits);
    await spec.spawn();
    spec.events.asked.length = 0;
  };
  const batchSizes = (): number[] => spec.events.asked.map(({ events }) => events.length);

  beforeEach(() => start());

  it('appends what arrived together in one write', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, at) => spec.note(at)));
    expect(batchSizes()).toEqual([50]);
  });

  it('appends what arrived while a batch was in flight in one write after it', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const first = spec.note('first');
    await gate.reached;
    const others = Array.from({ length: 40 }, (_, at) => spec.note(at));
    gate.open();
    await Promise.all([first, ...others]);
    expect(batchSizes()).toEqual([1, 40]);
  });

  it('answers each command with its own last revision, in the order of arrival', async () => {
    const outcomes = await Promise.all(
      [1, 3, 2].map((count) => spec.run(Notes, { payloads: Array.from({ length: count }) })),
    );
    expect(outcomes.map(({ revision }) => revision)).toEqual([1, 4, 6]);
    expect(batchSizes()).toEqual([6]);
  });

  it('gives every event of a batch the same time, never before the last event', async () => {
    spec.now = T0 + 500;
    await Promise.all([spec.note(), spec.note()]);
    spec.now = T0 - 500;
    await spec.note();
    const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 1, 'forward', 10);
    expect(stored.map(({ timestamp_ms }) => timestamp_ms)).toEqual([T0 + 500, T0 + 500, T0 + 500]);
  });

  it('takes exactly as many commands as allowed', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, at) => spec.note(at)));
    expect(batchSizes()).toEqual([256, 256, 88]);
  });

  it('counts refused commands and those that append nothing among them', async () => {
    await start({ limits: { batch_max_commands: 3 } });
    await Promise.all([
      spec.note(1),
      spec.run(Refuses, {}),
      spec.run(Notes, { payloads: [] }),
      spec.note(2),
    ]);
    expect(batchSizes()).toEqual([1, 1]);
  });

  describe('within the bytes of one append', () => {
    /** Bytes of an event of `Note` beside its payload, quotes included. */
    const overhead = async (): Promise<number> => {
      await spec.note('');
      return appendBytes(spec.events.asked.pop()!.events);
    };

    it('fills it to the last byte', async () => {
      const limit = 100_000;
      await start({ limits: { batch_max_bytes: limit } });
      const rest = await overhead();
      const [half, other_half] = [limit / 2 - rest, limit / 2 - rest];
      await Promise.all([spec.note('x'.repeat(half)), spec.note('x'.repeat(other_half))]);
      expect(spec.events.asked.map(({ events }) => appendBytes(events))).toEqual([limit]);
    });

    it('begins another append for what is one byte too much', async () => {
      const limit = 100_000;
      await start({ limits: { batch_max_bytes: limit } });
      const rest = await overhead();
      const half = limit / 2 - rest;
      await Promise.all([
        spec.note('x'.repeat(half)),
        spec.note('x'.repeat(half + 1)),
        spec.note('z'),
      ]);
      expect(batchSizes()).toEqual([1, 2]);
    });

    it('takes a command of 512 KiB alone and refuses one byte more, while others go on', async () => {
      const rest = await overhead();
      const most = 512 * 1024 - rest;
      const [a, full, too_large, b] = await Promise.all([
        spec.note('a'),
        spec.note('x'.repeat(most)),
        spec.note('x'.repeat(most + 1)),
        spec.note('b'),
      ]);
      expect(too_large).toMatchObject({ refusal: { refusal: 'too-large' } });
      for (const outcome of [a, full, b]) expect(isRefused(outcome)).toBe(false);
      expect([a, full, b].map(({ revision }) => revision)).toEqual([2, 3, 4]);
    });

    it('measures bytes, not characters', async () => {
      const rest = await overhead();
      const outcome = await spec.note('ß'.repeat((512 * 1024 - rest) / 2 + 1));
      expect(outcome).toMatchObject({ refusal: { refusal: 'too-large' } });
    });

    it('leaves nothing of a command behind whose last event does not fit', async () => {
      const drive = await spec.drives.open(DRIVE_A);
      const before = drive.folded.hash.root();
      const big = 'x'.repeat(300 * 1024);
      const [first, second] = await Promise.all([
        spec.run(Notes, { payloads: [big, big] }),
        spec.note('goes on'),
      ]);
      expect(first).toMatchObject({ refusal: { refusal: 'too-large' } });
      expect(second.revision).toBe(1);
      expect(drive.folded.hash.root()).toBe(before);
    });
  });

  describe.each([
    ['decide', false],
    ['answer', true],
  ])('with a bug in %s', (_, in_answer) => {
    it('fails only the caller, with the state as before', async () => {
      const drive = await spec.drives.open(DRIVE_A);
      const before = drive.folded.hash.root();
      const [first, bug, last] = await Promise.allSettled([
        spec.note(1),
        spec.run(Throws, { in_answer }),
        spec.note(2),
      ]);
      expect(bug).toMatchObject({ status: 'rejected', reason: { message: /a bug in/ } });
      expect(first).toMatchObject({ status: 'fulfilled', value: { revision: 1 } });
      expect(last).toMatchObject({ status: 'fulfilled', value: { revision: 2 } });
      expect(drive.state.organization.allowed_domains).toBe('');
      expect(drive.folded.hash.root()).toBe(before);
      expect(drive.folded.frontier.toJSON()).toEqual((await spec.folded()).frontier.toJSON());
    });

    it('goes on when nobody else waits', async () => {
      await expect(spec.run(Throws, { in_answer })).rejects.toThrow('a bug in');
      await expect(spec.note()).resolves.toMatchObject({ revision: 1 });
    });
  });

  it('answers a refusal that rests on an event of its batch only once that is durable', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const winner = spec.group('One', 'GroupID_same');
    let answered = false;
    const loser = spec.group('Two', 'GroupID_same').finally(() => (answered = true));
    await gate.reached;
    await new Promise(setImmediate);
    expect(answered).toBe(false);
    gate.open();
    await winner;
    expect(await loser).toMatchObject({ refusal: { refusal: 'id-in-use' }, revision: 1 });
  });

  it('does not answer a refusal that rested on an event that came to nothing', async () => {
    spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
    const results = await Promise.allSettled([
      spec.group('One', 'GroupID_same'),
      spec.group('Two', 'GroupID_same'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('answers refusals at once where nothing is in flight', async () => {
    expect(await spec.run(Refuses, {})).toEqual({
      refusal: { refusal: 'forbidden', details: [] },
      revision: 0,
    });
    expect(spec.events.asked).toEqual([]);
  });

  it('turns away what does not fit into the queue, and only that', async () => {
    await start({ limits: { queue_max_commands: 5 } });
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => spec.note(at)));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 5 }, () => 'fulfilled'),
      ...Array.from({ length: 3 }, () => 'rejected'),
    ]);
    expect(results.at(-1)).toMatchObject({ reason: { reason: 'overloaded' } });
    await expect(spec.note()).resolves.toMatchObject({ revision: 6 });
  });

  it('stores with each event who did it, by which command, in which request', async () => {
    await spec.run(Note, { payload: 1 }, { correlation_id: 'request-7' });
    const { metadata } = spec.events.asked.at(-1)!.events[0]!;
    expect(JSON.parse(metadata)).toEqual({
      actor: { api_key_id: null, user_id: 'UserID_owner', via: 'SIGNATURE' },
      allowed_by: ['OWNER'],
      command: 'Note',
      command_index: 0,
      correlation_id: 'request-7',
      idempotency: null,
      reason: null,
    });
  });

  it('holds the queue for a task that wants the drive for itself', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const gate = new Gate();
    const task = drive.exclusively(() => gate.pass());
    await gate.reached;
    const noted = spec.note();
    await new Promise(setImmediate);
    expect(batchSizes()).toEqual([]);
    gate.open();
    await Promise.all([task, noted]);
    expect(batchSizes()).toEqual([1]);
  });

  it('goes on after such a task has failed', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const failing = drive.exclusively(() => Promise.reject(new Error('task failed')));
    await expect(failing).rejects.toThrow('task failed');
    await expect(spec.note()).resolves.toMatchObject({ revision: 1 });
  });

  describe('the commands of one request', () => {
    const KEY = { key: 'key', body: 'body' };
    const note = (payload: unknown) => ({ definition: Note, command: { payload } });
    /** Changes two records: the group and the invite of its admin. */
    const group = (nth: number) => ({
      definition: groupCommands.CreateGroup,
      command: { fresh: { group_id: `GroupID_${nth}`, invite_id: `GroupInviteID_${nth}` } },
    });
    const each = async (
      commands: Parameters<typeof spec.drives.commands.runEach>[1],
      idempotency = false,
    ): Promise<Outcome<unknown>[]> => {
      const settled = await spec.drives.commands.runEach(DRIVE_A, commands, {
        ...request({ kind: 'signature', user_id: OWNER }),
        idempotency: idempotency ? KEY : null,
      });
      return settled.map((one) => {
        if (one.status === 'rejected') throw one.reason;
        return one.value;
      });
    };
    const refusals = (outcomes: readonly Outcome<unknown>[]) =>
      outcomes.map((outcome) => (isRefused(outcome) ? outcome.refusal.refusal : null));
    const BIG = 'x'.repeat(10_000);

    it('go into one append, each with its place, and a refused one stops none', async () => {
      const outcomes = await each([note(1), { definition: Refuses, command: {} }, note(2)]);
      expect(refusals(outcomes)).toEqual([null, 'forbidden', null]);
      const { events } = spec.events.asked[0]!;
      const places = events.map(({ metadata }) => JSON.parse(metadata).command_index as number);
      expect([spec.events.asked.length, places]).toEqual([1, [0, 2]]);
    });

    it('take several appends if one cannot hold them', async () => {
      await start({ limits: { batch_max_bytes: 25_000 } });
      const outcomes = await each([note(BIG), note(BIG), note(BIG)]);
      expect([refusals(outcomes), batchSizes()]).toEqual([
        [null, null, null],
        [2, 1],
      ]);
    });

    it('take several appends if each changes many records, so that other work has its turn', async () => {
      await start({ limits: { batch_work: 3 } });
      const outcomes = await each([group(1), group(2), group(3), group(4)]);
      expect([refusals(outcomes), batchSizes()]).toEqual([
        [null, null, null, null],
        [2, 2],
      ]);
    });

    it('leave turns to other work if decisions only visit many records', async () => {
      await start({ limits: { batch_work: 3 } });
      let turn = 0;
      const turns: number[] = [];
      const next = (): void => {
        turn += 1;
        if (turns.length < 4) setImmediate(next);
      };
      const visiting = {
        definition: {
          ...Refuses,
          decide({ visits }) {
            turns.push(turn);
            visits?.add(2);
            return refuse('forbidden');
          },
        } satisfies typeof Refuses,
        command: {},
      };
      setImmediate(next);
      await each([visiting, visiting, visiting, visiting]);
      const [first] = turns;
      expect(turns.map((one) => one - first!)).toEqual([0, 0, 1, 1]);
    });

    it('with an idempotency key, or tried, are refused beyond a number of changed records', async () => {
      await start({ limits: { append_max_work: 3 } });
      const outcomes = await each([group(1), group(2), group(3)], true);
      expect(refusals(outcomes)).toEqual(['too-large', 'too-large', 'too-large']);
      expect(batchSizes()).toEqual([]);
      const tried = await spec.drives.commands.runEach(DRIVE_A, [group(1), group(2), group(3)], {
        ...request({ kind: 'signature', user_id: OWNER }),
        dry_run: true,
      });
      const results = tried.map((one) => (one as PromiseFulfilledResult<Outcome<unknown>>).value);
      expect(refusals(results)).toEqual([null, null, 'too-large']);
      await spec.note('goes on');
    });

    it('with an idempotency key are refused beyond a number of visited records, and no other request is', async () => {
      await start({ limits: { append_max_work: 3, batch_work: 3 } });
      const visiting = {
        definition: {
          ...Note,
          decide(context, command) {
            context.visits?.add(4);
            return Note.decide(context, command);
          },
        } satisfies typeof Note,
        command: { payload: 1 },
      };
      const running = [each([visiting, note(1)], true), each([note(2)])];
      const outcomes = await Promise.all(running);
      expect(outcomes.map(refusals)).toEqual([['too-large', 'too-large'], [null]]);
      expect(batchSizes()).toEqual([1]);
    });

    it('with an idempotency key are all refused if one append cannot hold them', async () => {
      await start({ limits: { batch_max_bytes: 25_000 } });
      const outcomes = await each([note(BIG), note(BIG), note(BIG)], true);
      expect(refusals(outcomes)).toEqual(['too-large', 'too-large', 'too-large']);
      expect(batchSizes()).toEqual([]);
      await spec.note('goes on');
    });

    it.each([
      ['bytes', { batch_max_bytes: 25_000 }],
      ['commands', { batch_max_commands: 3 }],
    ])('with a key wait for the next append if this one has no room for %s', async (_, limits) => {
      await start({ limits });
      const running = [spec.note(BIG), spec.note('short'), each([note(BIG), note(BIG)], true)];
      const [, , outcomes] = await Promise.all(running);
      expect(refusals(outcomes as Outcome<unknown>[])).toEqual([null, null]);
      expect(batchSizes()).toEqual([2, 2]);
      expect((await spec.folded()).hash.root()).toBe(
        (await spec.drives.open(DRIVE_A)).folded.hash.root(),
      );
    });

    it('are all turned away from a queue that has no room for all', async () => {
      await start({ limits: { queue_max_commands: 2 } });
      await expect(each([note(1), note(2), note(3)])).rejects.toMatchObject({
        reason: 'overloaded',
      });
      expect(await each([note(1), note(2)])).toHaveLength(2);
    });
  });
});
