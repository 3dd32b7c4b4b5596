import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Access } from '../../domain/access/access.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { organizationCommands } from '../../domain/organization/definitions.js';
import { type CommandRequest, isRefused, type Outcome } from '../../engine/call.js';
import { Drives } from '../../engine/drives.js';
import { type RebuildProgress, rebuildReadModel } from '../../engine/rebuild.js';
import { previewId } from '../fresh.js';
import { answerNow, type Reader } from '../read-record.js';

export interface ReindexAnswer {
  success: true;
  timestamp_ms: number;
  /** Documents written. */
  indexed_count: number;
  revision: number;
  events_folded: number;
  duration_ms: number;
  job_id: string;
}

export interface ReindexJobView {
  job_id: string;
  state: 'RUNNING' | 'DONE' | 'FAILED';
  events_folded: number;
  events_total: number;
  documents_written: number;
  percent: number;
  started_ms: number;
  finished_ms: number | null;
  error: string | null;
}

/** Rebuilds a drive's read models and answers when done; `in_background` answers at once. */
export class Reindex extends Command<Outcome<ReindexAnswer | ReindexJobView>> {
  constructor(
    readonly drive_id: string,
    readonly input: { in_background: boolean },
    readonly request: CommandRequest,
  ) {
    super();
  }
}

export class GetReindexJob extends Query<Outcome<ReindexJobView>> {
  constructor(
    readonly reader: Reader,
    readonly input: { job_id: string },
  ) {
    super();
  }
}

/** How a job stands. */
interface JobState extends RebuildProgress {
  readonly job_id: string;
  readonly started_ms: number;
  finished_ms: number | null;
  error: string | null;
}

interface Job extends JobState {
  readonly drive_id: string;
  done: Promise<Outcome<ReindexAnswer>>;
}

const JOB_PREFIX = 'ReindexJobID_';

/** A new job's id; one with an idempotency key follows from it, so that it can be named again. */
function jobId({ idempotency }: CommandRequest): string {
  return JOB_PREFIX + (idempotency ? idempotency.key.slice(0, 32) : randomUUID());
}

function newJob(job_id: string, started_ms: number): JobState {
  const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
  return { ...progress, job_id, started_ms, finished_ms: null, error: null };
}

/** Most finished jobs remembered. */
const MOST_FINISHED = 1000;

/** Rebuilds under way and lately finished; at most one runs for each drive. */
@Injectable()
export class ReindexJobs {
  private readonly jobs = new Map<string, Job>();
  private readonly running = new Map<string, Job>();

  constructor(@Inject(Drives) private readonly drives: Drives) {}

  get(drive_id: string, job_id: string): Job | undefined {
    const job = this.jobs.get(job_id);
    return job?.drive_id === drive_id ? job : undefined;
  }

  /** The drive's running rebuild, or a new one. */
  start(drive_id: string, request: CommandRequest): Job {
    const running = this.running.get(drive_id);
    if (running) return running;
    const state = newJob(jobId(request), this.drives.clock());
    const job = { ...state, drive_id } as Job;
    job.done = this.run(job, request)
      .catch((error: unknown) => {
        job.error = 'The rebuild failed; what was not switched yet goes on answering.';
        throw error;
      })
      .finally(() => {
        job.finished_ms = this.drives.clock();
        this.running.delete(drive_id);
      });
    // Whoever waits is told of a failure; in the background the job itself tells.
    job.done.catch(() => {});
    this.running.set(drive_id, job);
    this.jobs.set(job.job_id, job);
    this.forgetOldest();
    return job;
  }

  private async run(job: Job, request: CommandRequest): Promise<Outcome<ReindexAnswer>> {
    const started = performance.now();
    const { revision } = await this.drives.hold(job.drive_id, (drive) =>
      rebuildReadModel(this.drives, drive, job),
    );
    const { events_folded, documents_written, drive_id } = job;
    // History asks the index of events: it is a read model like the others.
    await this.drives.indexer.rebuild(drive_id, revision);
    const recorded = await this.drives.run(
      drive_id,
      organizationCommands.RecordReindex,
      { events_folded, documents_written },
      request,
    );
    if (isRefused(recorded)) return recorded;
    const duration_ms = Math.round(performance.now() - started);
    const data = reindexAnswer(job, recorded.data.timestamp_ms, duration_ms);
    return { ...recorded, data };
  }

  private forgetOldest(): void {
    for (const [job_id, job] of this.jobs) {
      if (this.jobs.size <= MOST_FINISHED) return;
      if (job.finished_ms !== null) this.jobs.delete(job_id);
    }
  }
}

@CommandHandler(Reindex)
export class ReindexHandler implements ICommandHandler<Reindex> {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ReindexJobs) private readonly jobs: ReindexJobs,
  ) {}

  async execute({ drive_id, input, request }: Reindex) {
    const reader = { drive_id, credential: request.credential };
    const allowed = await answerNow(this.drives, reader, (context) =>
      Access.of(context).can('EDIT', drive_id) ? true : refuse('forbidden'),
    );
    if (isRefused(allowed)) return allowed;
    const repeated = await this.repeated(drive_id, input.in_background, request);
    if (repeated) return repeated;
    if (request.dry_run) return this.preview(drive_id, input.in_background, request);
    const job = this.jobs.start(drive_id, request);
    if (input.in_background) return { data: presentJob(job), revision: allowed.revision };
    return job.done;
  }

  /** What the first use of the request's idempotency key said; null without one. */
  private async repeated(
    drive_id: string,
    in_background: boolean,
    request: CommandRequest,
  ): Promise<Outcome<ReindexAnswer | ReindexJobView> | null> {
    const nothing = { events_folded: 0, documents_written: 0 };
    const { RecordReindex } = organizationCommands;
    const first = await this.drives.recall(drive_id, RecordReindex, nothing, request);
    if (!first || isRefused(first)) return first;
    const { timestamp_ms, events_folded, documents_written } = first.data;
    const job_id = jobId(request);
    const progress = { events_folded, documents_written, events_total: events_folded };
    const job = { ...newJob(job_id, timestamp_ms), ...progress, finished_ms: timestamp_ms };
    return { ...first, data: in_background ? presentJob(job) : reindexAnswer(job, timestamp_ms) };
  }

  /** What a rebuild now would say, without the work: all events folded, one document a record. */
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
    const decided = await this.drives.run(drive_id, RecordReindex, command, request);
    if (isRefused(decided)) return decided;
    const { timestamp_ms } = decided.data;
    const job = newJob(previewId(JOB_PREFIX), timestamp_ms);
    const data = in_background
      ? presentJob({ ...job, events_total: events_folded })
      : reindexAnswer({ ...job, ...command }, timestamp_ms);
    return { ...decided, data };
  }
}

@QueryHandler(GetReindexJob)
export class GetReindexJobHandler {
  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(ReindexJobs) private readonly jobs: ReindexJobs,
  ) {}

  execute({ reader, input }: GetReindexJob): Promise<Outcome<ReindexJobView>> {
    return answerNow(this.drives, reader, (context) => {
      if (!Access.of(context).can('EDIT', reader.drive_id)) return refuse('forbidden');
      const job = this.jobs.get(reader.drive_id, input.job_id);
      return job ? presentJob(job) : refuse('resource-not-found');
    });
  }
}

/** The answer of a rebuild that is done; 0 ms where nothing was rebuilt for it. */
function reindexAnswer(job: JobState, timestamp_ms: number, duration_ms = 0): ReindexAnswer {
  const { events_folded, documents_written, job_id } = job;
  return {
    success: true,
    timestamp_ms,
    indexed_count: documents_written,
    revision: events_folded - 1,
    events_folded,
    duration_ms,
    job_id,
  };
}

function presentJob(job: JobState): ReindexJobView {
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

export const reindexProviders = [ReindexJobs, ReindexHandler, GetReindexJobHandler];
