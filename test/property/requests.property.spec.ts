import * as fc from 'fast-check';
import { type CommandRequest, isRefused, type Outcome } from '../../libs/engine/writer/call.js';
import type { StoredEvent } from '../../libs/event-store/port.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps, type PlannedCommand } from './random-commands.js';
import { besides, check, RandomDrive } from './support.js';

describe('any command tried out first', () => {
  it('changes nothing when tried, and then does what it said', async () => {
    let accepted = 0;
    await check(
      fc.asyncProperty(manySteps, async (steps) => {
        const random = await RandomDrive.start();
        const { spec } = random;
        const drive = await random.drive();
        const keys = async () => [...(await spec.side.keys.all(DRIVE_A)).keys()];
        for (const [at, step] of steps.entries()) {
          const planned = random.planner.plan(step, drive.state, spec.now);
          // Everything is looked at now and then; what a slip would most likely leave, each time.
          const look = async () => ({
            head: drive.head,
            revision: drive.state.revision,
            unsaved: drive.keyring.unsaved,
            ...(at % 10 === 0 && {
              hash: drive.folded.hash.root(),
              besides: besides(drive.state),
              keys: await keys(),
            }),
          });
          const before = await look();
          const tried = await random.send(planned, { dry_run: true });
          expect(await look()).toEqual(before);
          const done = await random.send({ ...planned, after_ms: 0 });
          expect(done).toEqual(asDone(tried));
          if (!isRefused(done)) accepted++;
        }
        const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100_000);
        expect(drive.head.revision).toBe(stored.length - 1);
        expect(drive.folded.hash.root()).toBe((await spec.folded()).hash.root());
      }),
      'dry runs',
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe('any command under an idempotency key', () => {
  it('has one effect and one answer, also after a restart', async () => {
    let repeated = 0;
    await check(
      fc.asyncProperty(manySteps, fc.nat(0xffff), async (steps, salt) => {
        const random = await RandomDrive.start({ snapshot_every_events: 40 });
        const { spec } = random;
        const drive = await random.drive();
        const done: { planned: PlannedCommand; key: string; answer: Outcome<unknown> }[] = [];
        for (const [at, step] of steps.entries()) {
          const planned = random.planner.plan(step, drive.state, spec.now);
          const key = `key-${at}`;
          const { head } = drive;
          const answer = await random.send(planned, under(key));
          if (drive.head !== head) done.push({ planned, key, answer });
          const earlier = done[(salt + at) % Math.max(1, done.length)];
          if (!earlier || at % 4 > 0) continue;
          const before = drive.head;
          const again = await random.send(withOtherValues(earlier.planned), under(earlier.key));
          const is_known = 'is_repeated' in again;
          expect(
            is_known ? [drive.head === before, ...unlike(earlier.answer, again)] : [true],
          ).toEqual([true]);
          if (is_known) repeated++;
          // After a day the key is new, and what is done under it then counts.
          else if (drive.head !== before) earlier.answer = again;
        }
        const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100_000);
        expect(doneTwice(stored)).toEqual([]);

        await spec.drives.close();
        const next = spec.restarted();
        for (const { planned, key, answer } of done.slice(-5)) {
          const { definition, command, credential } = withOtherValues(planned);
          const request = { credential, correlation_id: 'r', reason: null, ...under(key) };
          const again = await next.drives.commands.run(DRIVE_A, definition, command, request);
          expect('is_repeated' in again ? unlike(answer, again) : []).toEqual([]);
        }
      }),
      'idempotency keys',
    );
    expect(repeated).toBeGreaterThan(0);
  });
});

const DAY_MS = 86_400_000;

/** Keys with events of two requests less than a day apart. */
function doneTwice(stored: readonly StoredEvent[]): string[] {
  const last = new Map<string, number>();
  const twice: string[] = [];
  for (const { metadata, timestamp_ms } of stored) {
    const { key } = JSON.parse(metadata).idempotency ?? {};
    const apart = timestamp_ms - (last.get(key) ?? timestamp_ms);
    if (key && apart > 0 && apart < DAY_MS) twice.push(key);
    last.set(key, timestamp_ms);
  }
  return twice;
}

function under(key: string): Pick<CommandRequest, 'idempotency'> {
  return { idempotency: { key, body: `body of ${key}` } };
}

/** The command as a handler would make it the next time: ids, codes and keys are others. */
function withOtherValues(planned: PlannedCommand): PlannedCommand {
  const { fresh, ...command } = planned.command as { fresh?: object };
  const text = fresh && JSON.stringify(fresh, (_, value) => other(value));
  return {
    ...planned,
    after_ms: 0,
    command: { ...command, ...(text && { fresh: JSON.parse(text) }) },
  };
}

function other(value: unknown): unknown {
  return typeof value === 'string' ? `${value}-again` : value;
}

/** What a repeated answer may say instead: secrets shown once, and persons erased since. */
const MASKED = /\*\*\*|sk_\.\.\.|\[erased\]/;

/** Where two outcomes differ, secrets that the second masks aside. */
function unlike(first: unknown, second: unknown, at = ''): string[] {
  if (typeof first !== 'object' || first === null || typeof second !== 'object' || !second) {
    const is_masked = typeof second === 'string' && MASKED.test(plain(second));
    return first === second || is_masked ? [] : [`${at}: ${String(first)} / ${String(second)}`];
  }
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  names.delete('is_repeated');
  return [...names].flatMap((name) =>
    unlike(first[name as never], second[name as never], `${at}/${name}`),
  );
}

/** A text with what its sign-in link says in clear. */
function plain(text: string): string {
  const [, token = ''] = text.split('token=');
  return text + Buffer.from(decodeURIComponent(token), 'base64').toString();
}

/** What a tried command answers once it is done. */
function asDone(tried: Outcome<unknown>): Outcome<unknown> {
  if (isRefused(tried)) return tried;
  const { dry_run, ...done } = tried;
  return { ...done, revision: done.revision + dry_run!.length };
}
