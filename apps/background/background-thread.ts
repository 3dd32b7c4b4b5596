import { Worker } from 'node:worker_threads';

import type { EngineOptions } from '../../libs/engine/drives/engine-options.js';
import type { IndexFolder, IndexSpan } from '../../libs/engine/read-models/index-folder.js';
import type { SnapshotMaker } from '../../libs/engine/snapshots/snapshot-maker.js';
import { Abandoned, currentQuery } from '../../libs/engine/tasks/long-query.js';
import type { ServedDrive, VerifyQuestion } from '../../libs/engine/verify/served-drive.js';
import type { DriveVerification, Verifier } from '../../libs/engine/verify/verifier.js';
import { Unavailable } from '../../libs/engine/writer/call.js';
import type { EventIndex, IndexPosition, Snapshot } from '../../libs/event-store/stores.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { Thread, ThreadEnded } from '../../libs/threads/thread.js';
import type { Question, ThreadData, VerifyAnswer } from './questions.js';
import { helpersOf } from './served-by-helpers.js';

/** Compiled; beside this file. */
const PROGRAM = new URL('main.js', import.meta.url);

/**
 * Does the work that folds whole streams in a thread with connections of its own to the stores, so that it takes no
 * time from requests. Events in memory cannot be read from another thread.
 */
export class BackgroundThread implements SnapshotMaker, Verifier, IndexFolder {
  private readonly thread: Thread;

  /** @param most_bytes memory limit of a state, bytes (estimated) */
  constructor(settings: StoreSettings, most_bytes: number, program = PROGRAM) {
    const workerData: ThreadData = { settings: { ...settings }, most_bytes };
    this.thread = new Thread(
      'the background thread',
      () => new Worker(program, { workerData, name: 'background' }),
    );
  }

  /** Undefined for events in memory. */
  static for(settings: StoreSettings, most_bytes: number): BackgroundThread | undefined {
    if (settings.event_store === 'memory') return undefined;
    return new BackgroundThread(settings, most_bytes);
  }

  make(drive_id: string, revision: number): Promise<Snapshot> {
    return this.ask({ work: 'snapshot', drive_id, revision });
  }

  /** The thread compares; it asks for the entries of the read model page by page. */
  async verify(question: VerifyQuestion, served: ServedDrive): Promise<DriveVerification> {
    const query = currentQuery();
    const { helpers, end } = helpersOf(served, (events) => query?.folded(events));
    try {
      const asked = { work: 'verify', question } as const;
      const answer = await this.ask<VerifyAnswer>(asked, { helpers, signal: query?.signal });
      if ('unavailable' in answer) throw new Unavailable(answer.unavailable);
      return answer.found;
    } catch (error) {
      if (query?.signal.aborted) throw new Abandoned();
      throw error;
    } finally {
      end();
    }
  }

  /** The thread folds, and the process writes. */
  async index(
    span: IndexSpan,
    index: Pick<EventIndex, 'append'>,
    signal: AbortSignal,
  ): Promise<IndexPosition | null> {
    let writing = Promise.resolve();
    const append: EventIndex['append'] = (...chunk) => (writing = index.append(...chunk));
    try {
      return await this.ask({ work: 'index', span }, { helpers: { append }, signal });
    } finally {
      // The thread may have ended meanwhile. No write may be in progress on an index that others continue.
      await writing.catch(() => {});
    }
  }

  /** Ends the thread once its questions are answered. */
  close(): Promise<void> {
    return this.thread.close({ work: 'close' } satisfies Question);
  }

  /** Ends it at once. */
  end(): Promise<void> {
    return this.thread.end();
  }

  private async ask<Answer>(
    question: Question,
    options?: Parameters<Thread['ask']>[1],
  ): Promise<Answer> {
    try {
      return await this.thread.ask<Answer>(question, options);
    } catch (error) {
      throw error instanceof ThreadEnded ? new Unavailable('interrupted', { cause: error }) : error;
    }
  }
}

/** The options of an engine that does its long work in the thread. */
export function inBackground(
  thread: BackgroundThread,
): Pick<EngineOptions, 'snapshots' | 'verifier' | 'index_folder'> {
  return { snapshots: thread, verifier: thread, index_folder: thread };
}
