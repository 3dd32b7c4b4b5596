import { event } from '../../libs/domain/foundation/events.js';
import { accept, type CommandDefinition } from '../../libs/domain/foundation/decision.js';
import { refuse } from '../../libs/domain/kernel/refusal.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec, request } from '../../libs/engine/testing/engine.js';
import { CreateContact } from '../../libs/application/contacts/contacts.js';
import { driveCommand } from '../../libs/application/drive-command.js';
import {
  RunTransaction,
  RunTransactionHandler,
  type TransactionStep,
} from '../../libs/application/transaction/transaction.js';

interface Said {
  readonly text: string;
}

/** How often commands were decided and prepared. */
const count = { decided: 0, prepared: 0 };

function saying(name: string): CommandDefinition<Said, object> {
  return {
    name,
    decide(_, { text }) {
      count.decided++;
      if (text === 'refused') return refuse('precondition-failed');
      return accept(
        ['OWNER'],
        event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload: text }),
      );
    },
    answer: (_, { text }) => ({ text, decided: String(count.decided) }),
  };
}

async function prepared({ text }: Said): Promise<Said> {
  count.prepared++;
  await Promise.resolve();
  if (text === 'fails') throw new Error('the preparation failed');
  return { text };
}

const Say = driveCommand(saying('Say'));
const SayLater = driveCommand(saying('SayLater'), prepared);
const SayMuchLater = driveCommand(saying('SayMuchLater'), prepared);
const COMMANDS = { say: Say, later: SayLater, much_later: SayMuchLater, contact: CreateContact };

describe('a transaction of commands that are prepared outside the queue', () => {
  const spec = new EngineSpec();
  beforeAll(() => spec.spawn());
  beforeEach(() => {
    count.decided = count.prepared = 0;
  });

  const step = ([path, body]: readonly [keyof typeof COMMANDS, object]): TransactionStep => ({
    path,
    body,
    fields: new Set(Object.keys(body)),
    credential: { kind: 'signature', user_id: OWNER },
    if_match: undefined,
    read: (input) => ({ command: COMMANDS[path] as never, input }),
    unresolved: (reference) => new Error(`unresolved: ${reference}`),
    too_long: () => new Error('too long'),
    unstable: () => new Error('unstable'),
  });
  const run = (
    steps: readonly (readonly [keyof typeof COMMANDS, object])[],
    dry_run = false,
  ): Promise<unknown> =>
    new RunTransactionHandler(spec.drives).execute(
      new RunTransaction(
        DRIVE_A,
        steps.map(step),
        { ...request({ kind: 'signature', user_id: OWNER }), dry_run },
        1_000_000,
      ),
    );
  const many = (path: keyof typeof COMMANDS, text = 'a') =>
    Array.from({ length: 50 }, () => [path, { text }] as const);

  it.each([false, true])(
    'is decided three times, whatever their number (dry run: %s)',
    async (dry) => {
      const steps = [['say', { text: 'first' }] as const, ...many('later')];
      expect(await run(steps, dry)).toMatchObject({ data: { results: { length: 51 } } });
      expect(count).toEqual({ prepared: 50, decided: 1 + 2 + 51 });
    },
  );

  it('prepares those ahead that refer to results which are known', async () => {
    const steps = [['say', { text: 'first' }] as const, ...many('later', '$0.text')];
    expect(await run(steps)).toMatchObject({ data: { results: { 50: { text: 'first' } } } });
    expect(count).toEqual({ prepared: 50, decided: 1 + 2 + 51 });
  });

  it.each(['later', 'much_later'] as const)(
    'prepares one command of a path before the first of that path is accepted (%s)',
    async (path) => {
      const steps = [['much_later', { text: 'a' }] as const, [path, { text: 'refused' }] as const];
      const all = [...steps, ...many('later'), ...many('much_later')];
      await run(path === 'later' ? all : all.slice(1));
      expect(count.prepared).toBe(path === 'later' ? 2 : 1);
    },
  );

  it('is refused by an earlier command before the preparation of a later one fails', async () => {
    const fails = ['later', { text: 'fails' }] as const;
    const steps = many('later').slice(0, 3);
    const refused = ['say', { text: 'refused' }] as const;
    expect(await run([...steps, refused, fails])).toMatchObject({
      refusal: { refusal: 'precondition-failed' },
      index: 3,
    });
    await expect(run([...steps, fails, refused])).rejects.toThrow('the preparation failed');
  });

  it('refuses a command that refers to what differs in every decision', async () => {
    const steps = [['say', { text: 'first' }] as const, ['later', { text: '$0.decided' }] as const];
    await expect(run(steps)).rejects.toThrow('unstable');
    expect(count.prepared).toBe(5);
  });

  it('is decided once if no identity of its contacts is derived', async () => {
    const contacts = Array.from(
      { length: 20 },
      (_, at) => ['contact', { name: `Contact ${at}` }] as const,
    );
    await run([['say', { text: 'first' }] as const, ...contacts]);
    expect(count.decided).toBe(1);
  });
});
