import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, QueryHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { refuseWithout } from '../../domain/access/denial.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { organizationCommands } from '../../domain/organization/commands.js';
import { type CommandRequest, isRefused, type Outcome } from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import type { Rebuild } from '../../event-store/stores.js';
import { previewId } from '../fresh.js';
import { DriveCommand } from '../drive-command.js';
import { DriveQuery } from '../drive-query.js';
import { answerNow } from '../read-record.js';
import {
  JOB_PREFIX,
  jobId,
  newJob,
  type ReindexAnswer,
  reindexAnswer,
  ReindexJobs,
} from './reindex-jobs.js';
import { integer, nullable, oneOf, type Shown, text, view } from '../../domain/kernel/view.js';

export const reindexJobView = view('ReindexJob', {
  job_id: text(),
  state: oneOf(['RUNNING', 'DONE', 'FAILED']),
  events_folded: integer(),
  events_total: integer(),
  documents_written: integer(),
  percent: integer(),
  started_ms: integer(),
  finished_ms: nullable(integer()),
  error: nullable(text()),
});
export type ReindexJobView = Shown<typeof reindexJobView>;

/** Rebuilds a drive's read models and answers when done; `in_background` answers at once. */
export class Reindex extends DriveCommand<
  { readonly in_background: boolean },
  ReindexAnswer | ReindexJobView
> {}

export class GetReindexJob extends DriveQuery<{ readonly job_id: string }, ReindexJobView> {}

@Provided
@CommandHandler(Reindex)
export class ReindexHandler implements ICommandHandler<Reindex> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ReindexJobs) private readonly jobs: ReindexJobs,
  ) {}

  async execute({ drive_id, input, request }: Reindex) {
    const { in_background } = input;
    const repeated = await this.repeated(drive_id, in_background, request);
    if (repeated) return repeated;
    // Also decides whether the caller may: a rebuild that is refused at its end was for nothing.
    const expected = await this.preview(drive_id, in_background, request);
    if (request.dry_run || isRefused(expected)) return expected;
    const { job, is_repeated, done } = await this.jobs.start(drive_id, request);
    const repeated_too = is_repeated && { is_repeated };
    if (in_background)
      return { data: presentJob(job), revision: expected.revision, ...repeated_too };
    const ended = await done();
    return isRefused(ended) ? ended : { ...ended, ...repeated_too };
  }

  /** The answer of the first request with the same idempotency key; null if there is none. */
  private async repeated(
    drive_id: string,
    in_background: boolean,
    request: CommandRequest,
  ): Promise<Outcome<ReindexAnswer | ReindexJobView> | null> {
    if (request.idempotency) await this.drives.commands.catchUp(drive_id);
    const nothing = { events_folded: 0, documents_written: 0 };
    const { RecordReindex } = organizationCommands;
    const first = await this.drives.commands.recall(drive_id, RecordReindex, nothing, request);
    if (!first || isRefused(first)) return first;
    const { timestamp_ms, events_folded, documents_written } = first.data;
    const job_id = jobId(request);
    const progress = { events_folded, documents_written, events_total: events_folded };
    const job = {
      ...newJob(drive_id, job_id, timestamp_ms),
      ...progress,
      finished_ms: timestamp_ms,
    };
    return { ...first, data: in_background ? presentJob(job) : reindexAnswer(job, timestamp_ms) };
  }

  /** The expected answer of a rebuild: all events folded, one document for each record. */
  private async preview(
    drive_id: string,
    in_background: boolean,
    request: CommandRequest,
  ): Promise<Outcome<ReindexAnswer | ReindexJobView>> {
    const { folded: events_folded, documents: documents_written } = await this.drives.read(
      drive_id,
      ({ state }) => ({
        folded: state.revision + 1,
        documents: state.tables.reduce((sum, table) => sum + table.size, 0),
      }),
    );
    const command = { events_folded, documents_written };
    const { RecordReindex } = organizationCommands;
    const dry = { ...request, dry_run: true };
    const decided = await this.drives.commands.run(drive_id, RecordReindex, command, dry);
    if (isRefused(decided)) return decided;
    const { timestamp_ms } = decided.data;
    const job = newJob(drive_id, previewId(JOB_PREFIX), timestamp_ms);
    const data = in_background
      ? presentJob({ ...job, events_total: events_folded })
      : reindexAnswer({ ...job, ...command }, timestamp_ms);
    return { ...decided, data };
  }
}

@Provided
@QueryHandler(GetReindexJob)
export class GetReindexJobHandler {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ReindexJobs) private readonly jobs: ReindexJobs,
  ) {}

  execute({ reader, input }: GetReindexJob): Promise<Outcome<ReindexJobView>> {
    return answerNow(this.drives, reader, async (context) => {
      const denied = refuseWithout(context, 'EDIT', reader.drive_id);
      if (denied) return denied;
      const job = await this.jobs.find(reader.drive_id, input.job_id);
      return job ? presentJob(job) : refuse('resource-not-found');
    });
  }
}

function presentJob(job: Rebuild): ReindexJobView {
  const { job_id, events_folded, events_total, documents_written } = job;
  const { started_ms, finished_ms, error } = job;
  const is_done = finished_ms !== null;
  return {
    job_id,
    state: error ? 'FAILED' : is_done ? 'DONE' : 'RUNNING',
    events_folded,
    events_total,
    documents_written,
    percent: is_done ? 100 : Math.floor((99 * events_folded) / Math.max(1, events_total)),
    started_ms,
    finished_ms,
    error,
  };
}
