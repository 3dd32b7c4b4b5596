import { Worker } from 'node:worker_threads';

import type { BackgroundWork } from '../../libs/engine/drives/engine-options.js';
import type { AppendedIndex } from '../../libs/engine/read-models/index-feed.js';
import type { IndexFolder, IndexSpan } from '../../libs/engine/read-models/index-folder.js';
import type { FarFolder, FoldedSnapshot, Refolding } from '../../libs/engine/fold/far-folder.js';
import type { SnapshotMaker } from '../../libs/engine/snapshots/snapshot-maker.js';
import { Abandoned, currentQuery } from '../../libs/engine/tasks/long-query.js';
import type { ServedDrive, VerifyQuestion } from '../../libs/engine/verify/served-drive.js';
import type { DriveVerification, Verifier } from '../../libs/engine/verify/verifier.js';
import { Unavailable } from '../../libs/engine/writer/call.js';
import type { EventIndex, IndexPosition, Snapshot } from '../../libs/event-store/stores.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { type Helpers, Thread, ThreadEnded } from '../../libs/threads/thread.js';
import { answerOf, type Outcome } from './failures.js';
import type { Question, ThreadData, Works } from './questions.js';
import { helpersOf } from './served-by-helpers.js';

/** Compiled; beside this file. */
const PROGRAM = new URL('main.js', import.meta.url);

/**
 * Does the work that folds whole streams in a thread with connections of its own to the stores, so that it takes no
 * time from requests. Events in memory cannot be read from another thread.
 */
export class BackgroundThread implements SnapshotMaker, FarFolder, Verifier, IndexFolder {
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
    return this.ask('snapshot', { drive_id, revision });
  }

  fold(drive_id: string, revision: number, verify: boolean): Promise<FoldedSnapshot | null> {
    return this.ask('fold', { drive_id, revision, verify });
  }

  refold(
    drive_id: string,
    revision: number,
    { index, progress }: Refolding,
  ): Promise<Snapshot | null> {
    const append: EventIndex['append'] = async (_, chunk, last) => index?.take(chunk, last);
    const append_events = index?.append_events ?? null;
    const helpers = { append, folded: progress };
    return this.ask('refold', { drive_id, revision, append_events }, helpers);
  }

  /** The thread compares; it asks for the entries of the read model page by page. */
  async verify(question: VerifyQuestion, served: ServedDrive): Promise<DriveVerification> {
    const { helpers, end } = helpersOf(served);
    try {
      return await this.ask('verify', question, helpers);
    } finally {
      end();
    }
  }

  /** The thread folds, and the process writes. */
  async index(
    span: IndexSpan,
    index: AppendedIndex,
    signal: AbortSignal,
  ): Promise<IndexPosition | null> {
    let writing = Promise.resolve();
    const append: EventIndex['append'] = (...chunk) => (writing = index.append(...chunk));
    try {
      const { append_events } = index;
      return await this.ask('index', { ...span, append_events }, { append }, signal);
    } finally {
      // The thread may have ended meanwhile. No write may be in progress on an index that others continue.
      await writing.catch(() => {});
    }
  }

  /** Closes the stores of the thread, and ends it; questions in progress fail. */
  close(): Promise<void> {
    return this.thread.close({ work: 'close' } satisfies Question);
  }

  /** Ends it at once. */
  end(): Promise<void> {
    return this.thread.end();
  }

  /** @throws Unavailable `interrupted` if the thread ends; Abandoned; failures of the work */
  private async ask<Work extends keyof Works>(
    work: Work,
    asked: Works[Work]['asked'] & { readonly drive_id: string },
    helpers: Helpers = {},
    signal?: AbortSignal,
  ): Promise<Works[Work]['answer']> {
    const query = currentQuery();
    const folded = (events: number): void => query?.folded(events);
    const options = { helpers: { folded, ...helpers }, signal: signal ?? query?.signal };
    try {
      const outcome = await this.thread.ask<Outcome<Works[Work]['answer']>>(
        { work, asked },
        options,
      );
      return answerOf(asked.drive_id, outcome);
    } catch (error) {
      if (query?.signal.aborted) throw new Abandoned();
      throw error instanceof ThreadEnded ? new Unavailable('interrupted', { cause: error }) : error;
    }
  }
}

/** The options of an engine that does its long work in the thread. */
export function inBackground(thread: BackgroundThread): BackgroundWork {
  return { snapshots: thread, far_folder: thread, verifier: thread, index_folder: thread };
}
