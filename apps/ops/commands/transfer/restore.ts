import { UnusableBackup } from '../../../../libs/stores/backup/manifest.js';
import {
  checkBackup,
  type CheckedBackup,
  damagedText,
  restore,
  TargetInUse,
} from '../../../../libs/stores/backup/restore.js';
import { type OpsCommand, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { time } from '../../output/terminal.js';
import { point, type WrittenPoint } from '../../points.js';

interface Options {
  readonly from: string;
  readonly to?: string;
  readonly check?: boolean;
  readonly backup?: string;
  readonly at?: WrittenPoint;
  readonly skipDamagedContent?: boolean;
}

export const restoring: OpsCommand = (program, surroundings) => {
  program
    .command('restore')
    .description('restores a backup into a new data folder')
    .requiredOption('--from <folder>', 'folder of backups')
    .option('--to <folder>', 'the new data folder')
    .option('--check', 'check every byte of the backup instead, and write nothing')
    .option('--backup <name>', 'name of the backup (else the last one)')
    .option('--at <time>', 'omit what happened later, in all organizations', point)
    .option('--skip-damaged-content', 'restore without contents that are not what was backed up')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const { from, to, check = false, backup: name, skipDamagedContent = false } = options;
      if (check === (to !== undefined))
        throw new Failure('Give either --to or --check.', EXIT.usage);
      const at_ms = timeOf(options.at);
      await working(surroundings, command, async (progress, signal) => {
        const reading = {
          ...{ from, name, signal },
          progress: (phase: string, done: number, total: number) => progress.at(done, total, phase),
        };
        try {
          if (to === undefined) {
            const data = await checkBackup(reading);
            return { data, text: () => checkedText(data), is_bad: data.damaged.length > 0 };
          }
          const data = await restore({ ...reading, to, at_ms, skip_damaged: skipDamagedContent });
          const { omitted_events } = data;
          return {
            data,
            text: () => restoredText(data, to, omitted_events, at_ms),
            is_bad: data.damaged.length > 0,
          };
        } catch (error) {
          if (error instanceof UnusableBackup || error instanceof TargetInUse)
            throw new Failure(error.message, EXIT.refused);
          throw error;
        }
      });
    });
};

/** Organizations have revisions and bookmarks of their own: only a time is a point of all. */
function timeOf(at: WrittenPoint | undefined): number | undefined {
  if (at === undefined) return undefined;
  const { at_ms } = at.request as { at_ms?: number };
  if (at_ms !== undefined && at_ms <= Date.now()) return at_ms;
  throw new Failure(`--at ${at.text} is not a past time; a restore takes times only.`, EXIT.usage);
}

function restoredText(
  checked: CheckedBackup,
  to: string,
  omitted_events: number,
  at_ms = 0,
): string {
  const { backup, began_ms, contents, damaged } = checked;
  const left_out = damaged.length > 0 ? `, ${damaged.length} damaged contents left out` : '';
  const later = `The backup began before ${time(at_ms)}: it has nothing of what happened between the two.`;
  return [
    ...damagedLines(damaged),
    `Restored backup ${backup} of ${time(began_ms)} into ${to}: ${left_out ? 'the digests of all others' : 'all digests'} match, ` +
      `${contents} contents, ${omitted_events} later events omitted${left_out}.`,
    ...(at_ms > began_ms ? [later] : []),
    `Put master.key and signing.key (mode 0600) into ${to}, or set MASTER_KEY and SIGNING_KEY, and run "ops verify".`,
  ].join('\n');
}

function checkedText({ backup, began_ms, contents, damaged }: CheckedBackup): string {
  const flaw = `${damaged.length} of its contents are damaged. "ops backup --verify" copies them again while the installation has them.`;
  return [
    ...damagedLines(damaged),
    `Checked backup ${backup} of ${time(began_ms)}: the digests of its databases and of ${contents} contents match.`,
    ...(damaged.length > 0 ? [flaw] : []),
  ].join('\n');
}

const damagedLines = (damaged: CheckedBackup['damaged']): string[] =>
  damaged.map((one) => `BAD  ${damagedText(one)}`);
