import { event } from '../../domain/foundation/events.js';
import { apiKeyCommands } from '../../domain/api-keys/commands.js';
import { contactCommands } from '../../domain/contacts/commands.js';
import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { groupCommands } from '../../domain/groups/definitions.js';
import { MASKED } from '../../domain/kernel/fields.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { OWNER } from '../../domain/testing/drive.js';
import { EventMissing } from '../../event-store/port.js';
import { streamOf } from '../fold/fold.js';
import {
  type CommandOfMany,
  type CommandRequest,
  type Idempotency,
  isRefused,
  type Outcome,
} from '../writer/call.js';
import { rebuildReadModel } from '../read-models/rebuild.js';
import { KEY_LIFE_MS } from './recent-keys.js';
import { DRIVE_A, EngineSpec, Note, request } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';

function under(key: string, extras: Partial<Idempotency> = {}, user_id = OWNER): CommandRequest {
  const idempotency = { key, body: 'body', ...extras };
  return { ...request({ kind: 'signature', user_id }), idempotency };
}

let made = 0;

/** A new group, with ids made anew for every call, as the handlers do. */
function newGroup(name = 'Twice') {
  const nth = ++made;
  return { name, fresh: { group_id: `GroupID_i${nth}`, invite_id: `GroupInviteID_i${nth}` } };
}

const Nothing: CommandDefinition<object, string> = {
  name: 'Nothing',
  decide: () => accept(['OWNER']),
  answer: () => 'nothing to do',
};

/** Answers what only its decision knew. */
const Counted: CommandDefinition<object, unknown> = {
  name: 'Counted',
  decide: ({ state }) => ({
    ...accept(['OWNER'], event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload: 1 })),
    outcome: { groups: state.groups.size },
  }),
  answer: (_, __, ___, outcome) => outcome,
};

/** Several events at once, told by what they held. */
const Notes: CommandDefinition<{ payloads: readonly string[] }, unknown[]> = {
  name: 'Notes',
  decide: (_, { payloads }) =>
    accept(
      ['OWNER'],
      ...payloads.map((payload) =>
        event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload }),
      ),
    ),
  answer: (_, __, events) => events.map(({ data }) => (data as { payload: unknown }).payload),
};

describe('a request under an idempotency key', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    spec.events.asked.length = 0;
  });
  const create = (key: string, on = spec) =>
    on.drives.commands.run(DRIVE_A, groupCommands.CreateGroup, newGroup(), under(key));
  const groups = async (on = spec) => (await on.drives.open(DRIVE_A)).state.groups.size;
  const again = (first: Outcome<unknown>) => ({ ...first, is_repeated: true });

  it('is done once, and answered alike however often it comes', async () => {
    const first = await create('k');
    await spec.note();
    for (let at = 0; at < 3; at++) expect(await create('k')).toEqual(again(first));
    expect(await groups()).toBe(2);
    expect(spec.events.asked).toHaveLength(2);
  });

  it('is answered as it was at its revision, whatever came later', async () => {
    const first = await create('k');
    const { id } = (first as { data: { id: string } }).data;
    await spec.run(groupCommands.UpdateGroup, { id, name: 'Renamed' });
    expect(await create('k')).toEqual(again(first));
    await spec.run(groupCommands.DeleteGroup, { id });
    expect(await create('k')).toEqual(again(first));
  });

  it('names the missing event where the first is dropped from the stream', async () => {
    const { revision } = await create('k');
    spec.events.onRead(() => Promise.resolve([]));
    await expect(create('k')).rejects.toEqual(new EventMissing(streamOf(DRIVE_A), revision!));
    spec.events.onRead(async (read) => (await read()).toSpliced(0, 1));
    await expect(create('k')).rejects.toThrow(EventMissing);
  });

  it('waits in the queue behind the first, in the same batch', async () => {
    const [first, second, other] = await Promise.all([create('k'), create('k'), create('l')]);
    expect(second).toEqual(again(first));
    expect(other).not.toHaveProperty('is_repeated');
    expect(spec.events.asked).toHaveLength(1);
    expect(await groups()).toBe(3);
  });

  it('waits for the first while that is in flight', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const first = create('k');
    await gate.reached;
    const second = create('k');
    gate.open();
    expect(await second).toEqual(again(await first));
  });

  it('is decided again when the first could not be stored', async () => {
    spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
    const both = await Promise.allSettled([create('k'), create('k')]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await create('k')).not.toHaveProperty('is_repeated');
    expect(await groups()).toBe(2);
  });

  it('tells all events of the first', async () => {
    const payloads = ['a', 'b', 'c'];
    const first = await spec.drives.commands.run(DRIVE_A, Notes, { payloads }, under('k'));
    const second = await spec.drives.commands.run(DRIVE_A, Notes, { payloads: [] }, under('k'));
    expect(first).toEqual({ data: payloads, revision: 3 });
    expect(second).toEqual(again(first));
  });

  it('is known again by the digest of its body that an earlier release stored', async () => {
    const first = await spec.drives.commands.run(
      DRIVE_A,
      groupCommands.CreateGroup,
      newGroup('Kept'),
      under('k'),
    );
    const today = under('k', { body: 'digest of today', earlier_body: 'body' });
    const repeated = await spec.drives.commands.run(
      DRIVE_A,
      groupCommands.CreateGroup,
      newGroup(),
      today,
    );
    expect(repeated).toMatchObject({
      is_repeated: true,
      revision: (first as { revision: number }).revision,
    });
    const neither = under('k', { body: 'digest of today', earlier_body: 'another' });
    expect(
      await spec.drives.commands.run(DRIVE_A, groupCommands.CreateGroup, newGroup(), neither),
    ).toMatchObject({ refusal: { refusal: 'idempotency-key-reused' } });
  });

  it('is refused with another path or body, and does not replace the first', async () => {
    await create('k');
    const other = under('k', { body: 'other' });
    const refused = await spec.drives.commands.run(DRIVE_A, Note, { payload: 1 }, other);
    expect(refused).toMatchObject({ refusal: { refusal: 'idempotency-key-reused' } });
    expect(await create('k')).toHaveProperty('is_repeated');
  });

  it('is not remembered when it was refused or had nothing to do', async () => {
    const stranger = under('k', {}, 'UserID_stranger');
    const { CreateGroup } = groupCommands;
    expect(
      await spec.drives.commands.run(DRIVE_A, CreateGroup, newGroup(), stranger),
    ).toMatchObject({
      refusal: { refusal: 'forbidden' },
    });
    await spec.drives.commands.run(DRIVE_A, Nothing, {}, under('k', { body: 'nothing' }));
    expect(await create('k')).not.toHaveProperty('is_repeated');
  });

  it('of several commands is told command by command, those without an event too', async () => {
    const { CreateGroup, DeleteGroup, UpdateGroup } = groupCommands;
    const commands = () => {
      const group = newGroup('First');
      return [
        { definition: CreateGroup, command: { ...group, id: 'GroupID_of-many' } },
        { definition: DeleteGroup, command: { id: 'GroupID_none' } },
        { definition: Nothing, command: {} },
        { definition: UpdateGroup, command: { id: 'GroupID_of-many', name: 'Second' } },
        { definition: Notes, command: { payloads: ['a', 'b'] } },
        { definition: Counted, command: {} },
        { definition: CreateGroup, command: { ...newGroup(), id: 'GroupID_of-many' } },
      ];
    };
    const send = async () => {
      const settled = await spec.drives.commands.runEach(DRIVE_A, commands(), under('k'));
      return settled.map((one) => (one as PromiseFulfilledResult<Outcome<unknown>>).value);
    };
    const first = await send();
    expect(first.map((outcome) => ('refusal' in outcome ? 'refused' : 'done'))).toEqual([
      'done',
      'refused',
      'done',
      'done',
      'done',
      'done',
      'refused',
    ]);
    expect(first[5]).toMatchObject({ data: { groups: 2 } });
    await spec.run(groupCommands.DeleteGroup, { id: 'GroupID_of-many' });
    const second = await send();
    const told = (outcomes: Outcome<unknown>[]) =>
      outcomes.map(({ revision: _, is_repeated: __, is_unchecked: ___, ...rest }: any) => rest);
    expect(told(second)).toEqual(told(first));
    expect(second.map((outcome) => 'is_repeated' in outcome)).toEqual(
      first.map((outcome) => 'data' in outcome),
    );
    expect(spec.events.asked).toHaveLength(2);
  });

  it('of several commands repeats the refusal of one that met a limit', async () => {
    const { record_count } = (await spec.drives.open(DRIVE_A)).state;
    const limits = { organization_records_max: record_count + 2, transaction_answer_bytes: 2_000 };
    const bounded = await spec.beside({ limits });
    const note = (length: number) => ({
      definition: Notes,
      command: { payloads: ['n'.repeat(length)] },
    });
    const group = () => ({ definition: groupCommands.CreateGroup, command: newGroup() });
    const commands = [group(), group(), note(900), note(900), note(900), note(1)];
    const send = async () => {
      const settled = await bounded.drives.commands.runEach(DRIVE_A, commands, under('k'));
      return settled.map((one) => {
        const outcome = (one as PromiseFulfilledResult<Outcome<unknown>>).value;
        return isRefused(outcome) ? outcome.refusal.refusal : 'done';
      });
    };
    const met = ['too-many-records', 'answer-too-large'];
    expect(await send()).toEqual(['done', met[0], 'done', met[1], met[1], 'done']);
    const { revision } = (await bounded.drives.open(DRIVE_A)).head;
    const limit = 'refused-before';
    expect(await send()).toEqual(['done', limit, 'done', limit, limit, 'done']);
    expect((await bounded.drives.open(DRIVE_A)).head.revision).toBe(revision);
    await bounded.drives.close();
  });

  it('of several commands repeats the refusal of a read whose result did not fit, and of an unmet condition', async () => {
    const bounded = await spec.beside({ limits: { transaction_answer_bytes: 2_000 } });
    const Read: CommandDefinition<object, string> = {
      name: 'Read',
      decide: () => accept(['OWNER']),
      answer: () => 'r'.repeat(1_500),
    };
    const read = { definition: Read, command: {} };
    const note = { definition: Notes, command: { payloads: ['a'] } };
    const { data } = (await create('made', bounded)) as { data: { id: string } };
    const { revision } = (await bounded.drives.open(DRIVE_A)).head;
    const rename = { definition: groupCommands.UpdateGroup, command: { id: data.id, name: 'N' } };
    const send = async (commands: readonly CommandOfMany[], asked: CommandRequest) => {
      const settled = await bounded.drives.commands.runEach(DRIVE_A, commands, asked);
      return settled.map((one) => {
        const outcome = (one as PromiseFulfilledResult<Outcome<unknown>>).value;
        return isRefused(outcome) ? outcome.refusal.refusal : 'done';
      });
    };
    for (let times = 0; times < 2; times++) {
      const reads = await send([note, read, read], under('reads'));
      expect(reads).toEqual(['done', 'done', 'answer-too-large']);
      const renamed = await send([rename, rename], { ...under('if'), if_match: revision });
      expect(renamed).toEqual(['done', 'precondition-failed']);
    }
    await bounded.drives.close();
  });

  it('of several commands decided again counts only the results of the last decision', async () => {
    const bounded = await spec.beside({ limits: { transaction_answer_bytes: 2_000 } });
    const { fresh } = newGroup();
    const Unless: CommandDefinition<object, string> = {
      name: 'Unless',
      decide: ({ state }) =>
        state.groups.has(fresh.group_id)
          ? refuse('id-in-use')
          : accept(['OWNER'], event('ShortlinkRemoved', { slug: 'none' })),
      answer: () => 'n'.repeat(1_500),
    };
    bounded.events.onAppend(async (store) => {
      await spec.run(groupCommands.CreateGroup, { name: 'Meanwhile', fresh });
      return store();
    });
    const commands = [
      { definition: Unless, command: {} },
      { definition: Notes, command: { payloads: ['n'.repeat(1_500)] } },
    ];
    const settled = await bounded.drives.commands.runEach(
      DRIVE_A,
      commands,
      request({ kind: 'signature', user_id: OWNER }),
    );
    const outcomes = settled.map((one) => (one as PromiseFulfilledResult<object>).value);
    expect(outcomes).toMatchObject([
      { refusal: { refusal: 'id-in-use' } },
      { data: [expect.anything()] },
    ]);
    await bounded.drives.close();
  });

  it('of several commands is done once, though the last one always fails', async () => {
    const Broken: CommandDefinition<object, string> = {
      name: 'Broken',
      decide: () => {
        throw new Error('always');
      },
      answer: () => '',
    };
    const send = async () => {
      const note = { definition: Note, command: { payload: 'once' } };
      const commands = [note, { definition: Broken, command: {} }];
      const settled = await spec.drives.commands.runEach(DRIVE_A, commands, under('k'));
      return settled.map(({ status }) => status);
    };
    const { revision } = (await spec.drives.open(DRIVE_A)).head;
    for (let nth = 0; nth < 3; nth++) expect(await send()).toEqual(['fulfilled', 'rejected']);
    expect((await spec.drives.open(DRIVE_A)).head.revision).toBe(revision + 1);
  });

  it('is new again after 24 hours', async () => {
    await create('k');
    spec.now += KEY_LIFE_MS - 1;
    expect(await create('k')).toHaveProperty('is_repeated');
    spec.now += 1;
    expect(await create('k')).not.toHaveProperty('is_repeated');
  });

  it('masks what was shown once, and needs the caller to count still', async () => {
    const create_key = () => {
      const fresh = { api_key_id: 'ApiKeyID_k', value: 'token', digest: 'digest', last4: 'oken' };
      const settings = { name: 'Key', private_note: null, begins_at: 0, expires_at: -1 };
      const command = { ...settings, external_id: null, external_payload: null, fresh };
      return spec.drives.commands.run(DRIVE_A, apiKeyCommands.CreateApiKey, command, under('k'));
    };
    expect(await create_key()).toMatchObject({ data: { value: 'token', name: 'Key' } });
    expect(await create_key()).toMatchObject({ data: { value: 'sk_...oken', name: 'Key' } });
    const unknown = { ...under('k'), credential: { kind: 'api_key', digest: 'none' } as const };
    const { CreateGroup } = groupCommands;
    expect(await spec.drives.commands.run(DRIVE_A, CreateGroup, newGroup(), unknown)).toMatchObject(
      {
        refusal: { refusal: 'unauthenticated' },
      },
    );
  });

  it('is known under the id that a placeholder had before it redeemed itself', async () => {
    const code_digest = 'digest-of-code';
    await spec.run(contactCommands.CreateContact, {
      id: 'UserID_placeholder',
      is_placeholder: true,
      fresh: { subject_key_id: 's', invite_id: 'GroupInviteID_p', code: 'code', code_digest },
    });
    const redeem = (user_id: string, idempotency: Partial<Idempotency> = {}) =>
      spec.drives.commands.run(
        DRIVE_A,
        contactCommands.RedeemContact,
        {
          current_user_id: 'UserID_placeholder',
          new_user_id: 'UserID_person',
          redeem_digest: code_digest,
          fresh: { api_key_id: 'ApiKeyID_p', value: 'token', digest: 'digest', last4: 'oken' },
        },
        under('as placeholder', idempotency, user_id),
      );
    const first = await redeem('UserID_placeholder');
    expect(first).toMatchObject({ data: { api_key: 'token', contact: { id: 'UserID_person' } } });
    const known = {
      key: 'as person',
      keyOf: (id: string) => (id === 'UserID_placeholder' ? 'as placeholder' : 'as person'),
    };
    expect(await redeem('UserID_person', known)).toMatchObject({
      data: { api_key: MASKED, contact: { id: 'UserID_person' } },
      is_repeated: true,
    });
    // A process that had not seen the swap when the repetition arrived knows the key under the former id.
    const noteAs = (key: string) =>
      spec.drives.commands.run(
        DRIVE_A,
        Note,
        { payload: 'once' },
        {
          ...under(`${key} k`, { keyOf: (id) => `${id} k` }),
          credential: { kind: 'api_key', digest: 'digest' },
        },
      );
    expect(await noteAs('UserID_person')).not.toHaveProperty('is_repeated');
    expect(await noteAs('UserID_placeholder')).toHaveProperty('is_repeated', true);
    // Steps of a transaction may have callers without an id.
    const transactAs = (key: string) =>
      spec.drives.commands.transact(
        DRIVE_A,
        [
          () => ({
            definition: Note as never,
            command: { payload: 'step' },
            credential: { kind: 'code' as const },
            if_match: undefined,
          }),
        ],
        {
          ...under(`${key} t`, { keyOf: (id) => `${id} t` }),
          credential: { kind: 'api_key', digest: 'digest' },
        },
      );
    expect(await transactAs('UserID_placeholder')).not.toHaveProperty('is_repeated');
    expect(await transactAs('UserID_person')).toHaveProperty('is_repeated', true);
  });

  it('tried out, tells that it was done, and leaves no trace where it was not', async () => {
    const dry = (key: string) =>
      spec.drives.commands.run(DRIVE_A, groupCommands.CreateGroup, newGroup(), {
        ...under(key),
        dry_run: true,
      });
    expect(await dry('k')).not.toHaveProperty('is_repeated');
    const first = await create('k');
    expect(first).not.toHaveProperty('is_repeated');
    expect(await dry('k')).toEqual({ ...again(first), dry_run: [] });
  });

  describe.each([
    ['from events alone', 100_000],
    ['from a snapshot and the events after it', 2],
  ])('after a restart, %s', (_, snapshot_every_events) => {
    /** Groups after two requests were repeated. */
    const afterRestart = async (
      restarted: (on: EngineSpec) => void,
      opened = (): void => {},
      started: (on: EngineSpec) => void = () => {},
    ): Promise<number> => {
      spec = new EngineSpec({ limits: { snapshot_every_events } });
      started(spec);
      await spec.spawn();
      const first = await create('before');
      for (let at = 0; at < 6; at++) await spec.note(at);
      const second = await create('after');
      await spec.drives.close();
      const next = spec.restarted();
      restarted(next);
      const snapshots = await next.side.snapshots.list(DRIVE_A);
      expect(snapshots.length > 0).toBe(snapshot_every_events === 2);
      await next.drives.open(DRIVE_A);
      opened();
      expect(await create('before', next)).toEqual(again(first));
      expect(await create('after', next)).toEqual(again(second));
      return groups(next);
    };

    it('is known, and no event is read twice where folding reads them whole', async () => {
      const read: number[] = [];
      const noteReads = ({ events: { store } }: EngineSpec): void => {
        const readStream = store.readStream.bind(store);
        store.readStream = async (...asked) => {
          const page = await readStream(...asked);
          if (asked[0] === `drive-${DRIVE_A}`) read.push(...page.map(({ revision }) => revision));
          return page;
        };
      };
      const found = await afterRestart(noteReads, () => {
        expect(read.length).toBeGreaterThan(0);
        expect(new Set(read).size).toBe(read.length);
      });
      expect(found).toBe(3);
    });

    /** Lets a process fold without metadata, as most stores do. */
    const withoutMetadata = ({ events }: EngineSpec): void => {
      const readFoldable = events.readFoldable.bind(events);
      events.readFoldable = async (...asked) =>
        (await readFoldable(...asked)).map(
          ({ revision, event_id, type, timestamp_ms, data, hash }) => {
            return { revision, event_id, type, timestamp_ms, data, hash };
          },
        );
    };

    it('is known where folding reads no metadata', async () => {
      expect(await afterRestart(withoutMetadata)).toBe(3);
    });

    it('is known where folding did not read metadata before either', async () => {
      expect(await afterRestart(withoutMetadata, undefined, withoutMetadata)).toBe(3);
    });
  });

  it('is known to another process that had not heard of the first', async () => {
    const rival = spec.restarted();
    await rival.drives.open(DRIVE_A);
    const first = await create('k');
    expect(await create('k', rival)).toEqual(again(first));
    expect(await groups(rival)).toBe(2);
  });

  it('is not done twice when its keys could not be read after a conflict', async () => {
    const rival = spec.restarted();
    await rival.drives.open(DRIVE_A);
    const first = await create('k');
    rival.events.onRead(() => Promise.reject(new Error('connection lost')));
    await expect(create('k', rival)).rejects.toThrow('store-failed');
    expect(await create('k', rival)).toEqual(again(first));
    expect(await groups(rival)).toBe(2);
  });

  it('is known after a rebuild', async () => {
    const first = await create('k');
    const drive = await spec.drives.open(DRIVE_A);
    const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
    await rebuildReadModel(spec.drives, drive, progress);
    expect(await create('k')).toEqual(again(first));
  });
});
