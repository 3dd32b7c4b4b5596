import type { ReindexJobView } from '../../../../libs/application/replay/reindex.js';
import {
  type ReindexAnswer,
  ReindexJobs,
} from '../../../../libs/application/replay/reindex-jobs.js';
import { isRefused, systemRequest } from '../../../../libs/engine/writer/call.js';
import { runForQuery } from '../../../../libs/engine/tasks/long-query.js';
import type { Drives } from '../../../../libs/engine/drives/drives.js';
import type { StoreSettings } from '../../../../libs/stores/settings.js';
import { eachOne, type OpsCommand, working } from '../../command.js';
import { EXIT, Failure, failureOf } from '../../failure.js';
import { driveIdsOf, expectDrive } from '../../organizations.js';
import type { Progress } from '../../output/progress.js';
import { serverOf } from '../../server-source.js';
import { settingsOf, storeOptions, type StoreOptions, writing } from '../../stores.js';
import { table, type Terminal } from '../../output/terminal.js';

interface Options extends StoreOptions {
  readonly drive?: readonly string[];
  readonly url?: string;
  readonly tokenFile?: string;
}

type Reindexed = Pick<ReindexAnswer, 'events_folded' | 'job_id'> & {
  readonly drive_id: string;
  readonly documents_written: number;
};

/** An organization that could not be reindexed, with the reason. */
interface Failed {
  readonly drive_id: string;
  readonly says: string;
}

/** Interval between two checks of the progress, ms. */
const LOOK_EVERY_MS = 200;

export const reindexing: OpsCommand = (program, surroundings) => {
  storeOptions(program.command('reindex'))
    .description('rebuilds the derived stores of a running server, or of the stores')
    .option('--drive <id or name>', 'only this organization; repeatable, once with --url', eachOne)
    .option(
      '--url <url>',
      'let this running server do it; without it the stores are written directly',
    )
    .option('--token-file <path>', 'file with the token for --url; else DRIVE_TOKEN is used')
    .option('--json', 'print the outcome as JSON')
    .action(async (options: Options, command) => {
      const { env } = surroundings.terminal;
      await working(surroundings, command, async (progress, signal) => {
        const { done, failed } =
          options.url === undefined
            ? await writing(settingsToReindex(options, env), (drives) =>
                onStores(drives, options.drive, progress, signal),
              )
            : { done: [await onServer(options, env, progress, signal)], failed: [] };
        const rows = done.map((one) => [one.drive_id, one.events_folded, one.documents_written]);
        const text = (): string =>
          [
            table(['organization', 'events folded', 'documents'], rows),
            ...failed.map(({ drive_id, says }) => `BAD  ${drive_id}: ${says}`),
          ].join('\n');
        return { data: { drives: done, failed }, text, is_bad: failed.length > 0 };
      });
    });
};

/** Workers write the documents in MongoDB; a read model in memory belongs to its process. */
function settingsToReindex(options: Options, env: Terminal['env']): StoreSettings {
  const settings = settingsOf(options, env);
  if (settings.read_model === 'memory') return settings;
  throw new Failure(
    `With READ_MODEL=${settings.read_model} the service itself reindexes: give --url and --drive.`,
    EXIT.usage,
  );
}

async function onStores(
  drives: Drives,
  wanted: readonly string[] | undefined,
  progress: Progress,
  signal: AbortSignal,
): Promise<{ done: Reindexed[]; failed: Failed[] }> {
  const jobs = new ReindexJobs(drives);
  const done: Reindexed[] = [];
  const failed: Failed[] = [];
  const drive_ids = wanted ? await driveIdsOf(drives, wanted) : await drives.all();
  // Before any of them is rebuilt.
  for (const drive_id of wanted ? drive_ids : []) await expectDrive(drives, drive_id);
  for (const drive_id of drive_ids) {
    signal.throwIfAborted();
    try {
      const query = { signal, begin() {}, folded() {}, end() {} };
      done.push(await runForQuery(query, () => oneOnStores(jobs, drive_id, progress)));
    } catch (error) {
      signal.throwIfAborted();
      // A failed one does not stop the others.
      const failure = failureOf(error);
      if (!(failure instanceof Failure) || drive_ids.length === 1) throw error;
      failed.push({ drive_id, says: failure.message });
    }
  }
  return { done, failed };
}

async function oneOnStores(
  jobs: ReindexJobs,
  drive_id: string,
  progress: Progress,
): Promise<Reindexed> {
  const { job, done: end } = await jobs.start(drive_id, systemRequest('ops reindex'));
  const looking = setInterval(
    () => progress.at(job.events_folded, job.events_total, `reindex ${drive_id}`),
    LOOK_EVERY_MS,
  );
  const outcome = await end().finally(() => clearInterval(looking));
  if (isRefused(outcome))
    throw new Failure(`Reindexing was refused (${outcome.refusal.refusal}).`, EXIT.refused);
  const { events_folded, indexed_count: documents_written, job_id } = outcome.data;
  return { drive_id, events_folded, documents_written, job_id };
}

async function onServer(
  { url, tokenFile, drive }: Options,
  env: Readonly<Record<string, string | undefined>>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Reindexed> {
  const [drive_id, ...more] = drive ?? [];
  if (drive_id === undefined || more.length > 0)
    throw new Failure('--url needs one --drive: a token is one organization’s.', EXIT.usage);
  const server = serverOf({ url: url!, drive: drive_id, ...(tokenFile && { tokenFile }) }, env);
  let job = await server.call<ReindexJobView>('POST', 'organization/reindex', { async: true });
  while (job.state === 'RUNNING') {
    progress.at(job.events_folded, job.events_total, `reindex ${drive_id}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    // The server continues; only the progress display ends.
    signal.throwIfAborted();
    job = await server.call<ReindexJobView>('GET', `organization/reindex/${job.job_id}`);
  }
  if (job.state === 'FAILED') throw new Failure(job.error!, EXIT.refused);
  const { events_folded, documents_written, job_id } = job;
  return { drive_id, events_folded, documents_written, job_id };
}
