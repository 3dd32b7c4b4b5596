import { Contents } from '../../../../libs/engine/contents/contents.js';
import { contentGaps, recordsIn } from '../../../../libs/engine/contents/gaps.js';
import {
  type ContentPlan,
  ContentSweep,
  IncompleteState,
} from '../../../../libs/engine/contents/sweep.js';
import type { Drives } from '../../../../libs/engine/drives/drives.js';
import type { Stores } from '../../../../libs/stores/open.js';
import { eachOne, type OpsCommand, working } from '../../command.js';
import { whyUnreadable } from '../../failure.js';
import { driveIdsOf, expectDrive } from '../../organizations.js';
import type { Progress } from '../../output/progress.js';
import { table } from '../../output/terminal.js';
import { reading, settingsOf, storeOptions, type StoreOptions, writing } from '../../stores.js';

interface Options extends StoreOptions {
  readonly drive?: readonly string[];
  readonly apply?: boolean;
}

/** Contents of one organization whose bytes are missing or incomplete. */
interface Checked {
  readonly drive_id: string;
  readonly contents: number;
  readonly missing: readonly string[];
}

/** An organization that was left out. */
interface Skipped {
  readonly drive_id: string;
  /** Why, as a sentence. */
  readonly skipped: string;
}

export const content: OpsCommand = (program, surroundings) => {
  const command = program.command('content').description('the stored content of files');
  const options = (name: string, text: string) =>
    storeOptions(command.command(name))
      .description(text)
      .option('--drive <id or name>', 'only this organization; repeatable', eachOne)
      .option('--json', 'print the outcome as JSON');

  options('usage', 'number and bytes of contents by organization; only reads').action(
    async (given: Options, called) => {
      await working(surroundings, called, async (progress, signal) => {
        const usage = await reading(settingsOf(given, surroundings.terminal.env), (drives) =>
          eachDrive(drives, given, progress, signal, (drive_id) => usageOf(drives, drive_id)),
        );
        const head = ['organization', 'contents', 'bytes', 'unused', 'unused bytes', ''];
        const text = (): string => table(head, usage.map(rowOf));
        return { data: usage, text, is_bad: usage.some(isSkipped) };
      });
    },
  );

  options('check', 'names contents whose bytes are missing or incomplete; only reads').action(
    async (given: Options, called) => {
      await working(surroundings, called, async (progress, signal) => {
        const checked = await reading(
          settingsOf(given, surroundings.terminal.env),
          (drives, stores) =>
            eachDrive(drives, given, progress, signal, (drive_id) =>
              check(drives, stores, drive_id),
            ),
        );
        const linesOf = (one: Checked | Skipped): string[] => {
          const { drive_id } = one;
          if (isSkipped(one)) return [`BAD  ${drive_id}: ${one.skipped}`];
          return [
            `${isBad(one) ? 'BAD' : 'ok '}  ${drive_id}: ${one.contents} contents`,
            ...one.missing.map((id) => `BAD  ${drive_id}: ${id} is missing or incomplete`),
          ];
        };
        const text = (): string => checked.flatMap(linesOf).join('\n');
        return { data: checked, text, is_bad: checked.some(isBad) };
      });
    },
  );

  options('sweep', 'removes content that is no longer kept; without --apply it only says what')
    .option('--apply', 'remove it; with embedded stores while the service is stopped')
    .action(async (given: Options, called) => {
      await working(surroundings, called, async (progress, signal) => {
        const sweepAll = (drives: Drives, stores: Stores) => {
          const contents = new Contents(stores.contents, stores.side.keys);
          const sweep = new ContentSweep({ drives, contents, failed: () => {} });
          return eachDrive(drives, given, progress, signal, async (drive_id) =>
            sweptOf(
              drive_id,
              await (given.apply ? sweep.sweepDrive(drive_id) : sweep.plan(drive_id)),
            ),
          );
        };
        const settings = settingsOf(given, surroundings.terminal.env);
        const swept = await (given.apply ? writing : reading)(settings, sweepAll);
        const head = ['organization', 'versions', 'contents', 'leftovers', 'leftover bytes', ''];
        const end = given.apply ? 'Removed.' : 'Nothing was removed; repeat with --apply.';
        const text = (): string => `${table(head, swept.map(rowOf))}\n${end}`;
        return { data: swept, text, is_bad: swept.some(isSkipped) };
      });
    });
};

/** What a task finds in each organization; one that cannot be read holds back no other. */
async function eachDrive<T extends object>(
  drives: Drives,
  { drive }: Options,
  progress: Progress,
  signal: AbortSignal,
  task: (drive_id: string) => Promise<T>,
): Promise<(T | Skipped)[]> {
  const drive_ids = drive ? await driveIdsOf(drives, drive) : await drives.all();
  for (const drive_id of drive ? drive_ids : []) await expectDrive(drives, drive_id);
  const done: (T | Skipped)[] = [];
  for (const [at, drive_id] of drive_ids.entries()) {
    signal.throwIfAborted();
    progress.at(at, drive_ids.length, drive_id);
    try {
      done.push(await task(drive_id));
    } catch (error) {
      const why = error instanceof IncompleteState ? error.message : whyUnreadable(error);
      if (why === null) throw error;
      done.push({ drive_id, skipped: why });
    }
  }
  return done;
}

function isSkipped(one: object): one is Skipped {
  return 'skipped' in one;
}

function isBad(one: Checked | Skipped): boolean {
  return isSkipped(one) || one.missing.length > 0;
}

/** The members of an organization's result in their order; of one that was left out the reason. */
function rowOf(one: object | Skipped): unknown[] {
  return isSkipped(one) ? [one.drive_id, '', '', '', '', one.skipped] : [...Object.values(one), ''];
}

function usageOf(drives: Drives, drive_id: string) {
  return drives.hold(drive_id, async ({ state: { contents } }) => {
    // Contents that no file version names any more.
    const unused = contents.where('unused', 'unused');
    return {
      drive_id,
      contents: contents.size,
      bytes: contents.sum('of_drive', ''),
      unused: unused.length,
      unused_bytes: unused.reduce((sum, { size }) => sum + size, 0),
    };
  });
}

function check(drives: Drives, stores: Stores, drive_id: string): Promise<Checked> {
  return drives.hold(drive_id, async ({ state }) => {
    const records = recordsIn(state);
    const { missing } = await contentGaps(stores, drive_id, records);
    return { drive_id, contents: records.contents.size, missing: [...missing.keys()].sort() };
  });
}

/** What a sweep removes, or has removed, from one organization. */
function sweptOf(drive_id: string, { version_ids, content_ids, leftovers }: ContentPlan) {
  return {
    drive_id,
    versions: version_ids.length,
    contents: content_ids.length,
    leftovers: leftovers.length,
    leftover_bytes: leftovers.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
