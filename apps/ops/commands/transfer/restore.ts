import { UnusableBackup } from '../../../../libs/stores/backup/manifest.js';
import { type Restored, restore, TargetInUse } from '../../../../libs/stores/backup/restore.js';
import { type OpsCommand, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { time } from '../../output/terminal.js';
import { point, type WrittenPoint } from '../../points.js';

interface Options {
  readonly from: string;
  readonly to: string;
  readonly backup?: string;
  readonly at?: WrittenPoint;
}

export const restoring: OpsCommand = (program, surroundings) => {
  program
    .command('restore')
    .description('restores a backup into a new data folder')
    .requiredOption('--from <folder>', 'folder of backups')
    .requiredOption('--to <folder>', 'the new data folder')
    .option('--backup <name>', 'name of the backup (else the last one)')
    .option('--at <time>', 'omit what happened later, in all organizations', point)
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const at_ms = timeOf(options.at);
      await working(surroundings, command, async (progress, signal) => {
        const { from, to, backup: name } = options;
        const data = await restore({
          ...{ from, to, name, at_ms, signal },
          progress: (phase, done, total) => progress.at(done, total, phase),
        }).catch((error: unknown) => {
          if (error instanceof UnusableBackup || error instanceof TargetInUse)
            throw new Failure(error.message, EXIT.refused);
          throw error;
        });
        return { data, text: () => restoredText(data, to, at_ms) };
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
  { backup, began_ms, contents, omitted_events }: Restored,
  to: string,
  at_ms = 0,
): string {
  const later = `The backup began before ${time(at_ms)}: it has nothing of what happened between the two.`;
  return [
    `Restored backup ${backup} of ${time(began_ms)} into ${to}: all digests match, ${contents} contents, ` +
      `${omitted_events} later events omitted.`,
    ...(at_ms > began_ms ? [later] : []),
    `Put master.key and signing.key (mode 0600) into ${to}, or set MASTER_KEY and SIGNING_KEY, and run "ops verify".`,
  ].join('\n');
}
