import { type BackedUp, backUp } from '../../../../libs/stores/backup/back-up.js';
import { type Deleted, deleteOldBackups } from '../../../../libs/stores/backup/delete-old.js';
import {
  BackupInProgress,
  lockBackups,
  TargetIsData,
} from '../../../../libs/stores/backup/lock.js';
import { pathOf } from '../../../../libs/stores/backup/keys.js';
import { UnusableBackup } from '../../../../libs/stores/backup/manifest.js';
import { type OpsCommand, positive, working } from '../../command.js';
import { EXIT, Failure } from '../../failure.js';
import { counted } from '../../output/sentences.js';
import { time } from '../../output/terminal.js';
import { openStores, settingsOf, storeOptions, type StoreOptions } from '../../stores.js';
import { type MissingContent, missingIn } from './backup-gaps.js';

interface Options extends StoreOptions {
  readonly to: string;
  readonly keep?: number;
  readonly verify?: boolean;
}

export const backingUp: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('backup'))
    .description('copies this installation with its content, also while the service runs')
    .requiredOption('--to <folder>', 'folder of backups; each run adds one')
    .option('--keep <n>', 'then delete all but the last n backups', positive)
    .option('--verify', 'also read the contents of earlier backups, and copy changed ones again')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const settings = settingsOf(options, surroundings.terminal.env);
      if (settings.event_store !== 'sqlite')
        throw new Failure(
          'EVENT_STORE is kurrentdb: back it up with the tools of KurrentDB, and MongoDB with mongodump.',
          EXIT.usage,
        );
      await working(surroundings, command, async (progress, signal) => {
        const { to, keep, verify = false } = options;
        const stores = await openStores(settings, 'read');
        let unlock: (() => void) | undefined;
        try {
          unlock = await lockBackups(to, settings.data_dir);
          const made = await backUp({
            data_dir: settings.data_dir,
            contents: stores.contents,
            ...{ to, verify, signal },
            progress: (phase, done, total) => progress.at(done, total, phase),
          });
          const missing = await missingIn(made.folder, stores.events);
          const deleted =
            keep === undefined ? undefined : await deleteOldBackups(to, keep, missing, signal);
          const data = { ...made, missing, ...(deleted && { deleted }) };
          return { data, text: () => backedUpText(data), is_bad: missing.length > 0 };
        } catch (error) {
          if (error instanceof TargetIsData) throw new Failure(error.message, EXIT.usage);
          if (error instanceof BackupInProgress || error instanceof UnusableBackup)
            throw new Failure(error.message, EXIT.refused);
          throw error;
        } finally {
          unlock?.();
          await stores.close();
        }
      });
    });
};

interface Outcome extends BackedUp {
  readonly missing: readonly MissingContent[];
  readonly deleted?: Deleted;
}

function backedUpText({ folder, began_ms, files, missing, deleted, ...one }: Outcome): string {
  const reasons = new Map(one.unreadable.map((content) => [pathOf(content), content.reason]));
  const databases = files.map(({ name, bytes }) => `${name} (${bytes} bytes)`).join(', ');
  return [
    `Backup ${folder}: all that was acknowledged before ${time(began_ms)}.`,
    `${databases}; ${one.contents} contents (${one.content_bytes} bytes), ${one.copied} of them ` +
      `new (${one.copied_bytes} bytes).`,
    ...missing.map((content) => {
      const reason = reasons.get(pathOf(content));
      const state = reason === undefined ? 'is missing' : `cannot be read (${reason})`;
      return `BAD  ${content.drive_id}: ${content.content_id} ${state}`;
    }),
    ...(missing.length > 0 ? [missingText(missing.length)] : []),
    ...(deleted
      ? [
          `Deleted ${counted(deleted.backups.length, 'earlier backup')} and ${counted(deleted.contents, 'content')}.`,
        ]
      : []),
    'The keys master.key and signing.key are not in it: keep copies of them elsewhere.',
  ].join('\n');
}

function missingText(count: number): string {
  return (
    `${count} contents that the events name are missing, incomplete or unreadable in the installation and in this backup. ` +
    '--keep does not delete the last earlier backup that has one of them.'
  );
}
