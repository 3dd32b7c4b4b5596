import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Provided } from '../providers.js';
import { organizationCommands } from '../../domain/organization/commands.js';
import {
  type Answered,
  type CommandRequest,
  isRefused,
  type Outcome,
} from '../../engine/writer/call.js';
import { Drives } from '../../engine/drives/drives.js';
import { rebuildReadModels } from '../../engine/read-models/rebuild.js';
import type { HeardWithin, Rebuild } from '../../event-store/stores.js';
import { flag, integer, type Shown, text, view } from '../../domain/kernel/view.js';

export const reindexView = view('Reindex', {
  success: flag<true>(),
  timestamp_ms: integer(),
  indexed_count: integer('Documents written'),
  revision: integer('Revision that the rebuilt models show'),
  events_folded: integer(),
  duration_ms: integer(),
  job_id: text(),
});
export type ReindexAnswer = Shown<typeof reindexView>;

export const JOB_PREFIX = 'ReindexJobID_';
/** Interval at which a process reports the progress of a rebuild, ms. */
const REPORT_EVERY_MS = 2_000;
/** A rebuild without a progress report for this long has failed, ms. */
const TIMEOUT_MS = 30_000;
/** Interval at which the rebuild of another process is polled for its end, ms. */
const POLL_EVERY_MS = 250;
/** Retention of finished rebuilds, ms. */
const RETENTION_MS = 7 * 86_400_000;

const FAILED = 'The rebuild failed; read models that it had not replaced remain in use.';
const DIED =
  'The process of the rebuild has ended; read models that it had not replaced remain in use.';

/** The progress of a rebuild. */
type Job = { -readonly [K in keyof Rebuild]: Rebuild[K] };

export interface Started {
  readonly job: Rebuild;
  /** True if a repetition of the request that started the rebuild joined it. */
  readonly is_repeated: boolean;
  /** Settles when the rebuild ends. */
  readonly done: () => Promise<Outcome<ReindexAnswer>>;
}

interface Begun extends Omit<Started, 'is_repeated'> {
  /** True if this process runs it. */
  readonly is_own: boolean;
}

/** The id of a new job. With an idempotency key it is derived from the key, so a repetition yields the same id. */
export function jobId({ idempotency }: CommandRequest): string {
  return JOB_PREFIX + (idempotency ? idempotency.key.slice(0, 32) : randomUUID());
}

export function newJob(drive_id: string, job_id: string, started_ms: number): Job {
  const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
  const running = { finished_ms: null, revision: null, error: null };
  return { drive_id, job_id, ...progress, started_ms, heard_ms: started_ms, ...running };
}

/** The answer of a finished rebuild. Its duration is 0 ms if this request rebuilt nothing. */
export function reindexAnswer(job: Rebuild, timestamp_ms: number, duration_ms = 0): ReindexAnswer {
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

/** Running and recently finished rebuilds of all processes; at most one runs for each drive. */
@Provided
@Injectable()
export class ReindexJobs {
  /** Rebuilds of this process, by drive. */
  private readonly running = new Map<string, Promise<Begun>>();

  constructor(@Inject(Drives) private readonly drives: Drives) {}

  /** The progress of a job, whichever process runs it. */
  async find(drive_id: string, job_id: string): Promise<Rebuild | null> {
    const own = await this.running.get(drive_id)?.catch(() => null);
    if (own?.job.job_id === job_id) return own.job;
    const found = await this.rebuilds.find(drive_id, job_id);
    return found && this.statusOf(found);
  }

  /** The drive's running rebuild, or a new one. */
  async start(drive_id: string, request: CommandRequest): Promise<Started> {
    const running = this.running.get(drive_id);
    const begun = await (running ?? this.launch(drive_id, request));
    const is_joined = running !== undefined || !begun.is_own;
    const is_repeated = is_joined && begun.job.job_id === jobId(request);
    if (running === undefined) return { ...begun, is_repeated };
    const done = async (): Promise<Outcome<ReindexAnswer>> => {
      const ended = await begun.done();
      // The refusal is that of the request which began it, such as its If-Match.
      return isRefused(ended) ? (await this.start(drive_id, request)).done() : ended;
    };
    return { ...begun, done, is_repeated };
  }

  private launch(drive_id: string, request: CommandRequest): Promise<Begun> {
    const started = this.begin(drive_id, request);
    this.running.set(drive_id, started);
    const forget = (): void => void this.running.delete(drive_id);
    // The job of another process is read again each time.
    started.then(({ done, is_own }) => (is_own ? done().then(forget, forget) : forget()), forget);
    return started;
  }

  private get rebuilds() {
    return this.drives.side.jobs.rebuilds;
  }

  private async begin(drive_id: string, request: CommandRequest): Promise<Begun> {
    const now = this.drives.clock();
    const job = newJob(drive_id, jobId(request), now);
    const { rebuild, is_new } = await this.rebuilds.begin(job, this.alive);
    if (!is_new)
      return { job: rebuild, is_own: false, done: () => this.endOfOther(rebuild, request) };
    await this.rebuilds.trim(now - RETENTION_MS);
    const end = this.run(job, request);
    // A waiting caller gets the error from `done`; otherwise only the job records it.
    end.catch(() => {});
    return { job, is_own: true, done: () => end };
  }

  private async run(job: Job, request: CommandRequest): Promise<Outcome<ReindexAnswer>> {
    const report = async (): Promise<void> => {
      job.heard_ms = this.drives.clock();
      await this.rebuilds.note(job);
    };
    const timer = setInterval(() => void report().catch(() => {}), REPORT_EVERY_MS);
    timer.unref();
    let ended: Answered<ReindexAnswer> | null = null;
    try {
      const outcome = await this.rebuild(job, request);
      if (isRefused(outcome)) job.error = FAILED;
      else ended = outcome;
      return outcome;
    } catch (error) {
      job.error = FAILED;
      throw error;
    } finally {
      clearInterval(timer);
      job.finished_ms = ended?.data.timestamp_ms ?? this.drives.clock();
      job.revision = ended?.revision ?? null;
      // Retried once: without this report the job would count as running until its timeout.
      await report().catch(() =>
        after(POLL_EVERY_MS)
          .then(report)
          .catch(() => {}),
      );
    }
  }

  private async rebuild(job: Job, request: CommandRequest): Promise<Outcome<ReindexAnswer>> {
    const started = performance.now();
    const { drive_id } = job;
    await rebuildReadModels(this.drives, drive_id, job);
    const { events_folded, documents_written } = job;
    const recorded = await this.drives.commands.run(
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

  /** Waits for the rebuild of another process. If it fails, this process rebuilds. */
  private async endOfOther(
    other: Rebuild,
    request: CommandRequest,
  ): Promise<Outcome<ReindexAnswer>> {
    const { drive_id, job_id, started_ms } = other;
    for (;;) {
      const job = await this.find(drive_id, job_id);
      if (!job || job.error !== null) break;
      const { finished_ms, revision } = job;
      if (finished_ms !== null && revision === null) break;
      if (finished_ms !== null) {
        const data = reindexAnswer(job, finished_ms, finished_ms - started_ms);
        return { data, revision: revision! };
      }
      await after(POLL_EVERY_MS);
    }
    const { done } = await this.start(drive_id, request);
    return done();
  }

  /** The job as reported; failed if its process has stopped reporting. */
  private statusOf(job: Rebuild): Rebuild {
    const { finished_ms, heard_ms } = job;
    const { from_ms, to_ms } = this.alive;
    if (finished_ms !== null || (heard_ms >= from_ms && heard_ms <= to_ms)) return job;
    return { ...job, finished_ms: heard_ms, error: DIED };
  }

  /**
   * Jobs with an earlier last report have failed; a later one is of a process whose clock was ahead, and which does not
   * report any more. Without other processes, all jobs found in the store have failed.
   */
  private get alive(): HeardWithin {
    const now = this.drives.clock();
    const from_ms = this.drives.role.sole ? Infinity : now - TIMEOUT_MS;
    return { from_ms, to_ms: now + TIMEOUT_MS };
  }
}
