import { Worker } from 'node:worker_threads';

import type { SnapshotMaker } from '../../libs/engine/snapshots/snapshot-maker.js';
import type { Snapshot } from '../../libs/event-store/stores.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { Thread } from '../../libs/threads/thread.js';
import type { ThreadData } from './main.js';

/** Compiled; beside this file. */
const PROGRAM = new URL('main.js', import.meta.url);

/**
 * Makes snapshots in a thread with connections of its own to the stores, so that folding, hashing and writing whole
 * states take no time from requests. Events in memory cannot be read from another thread.
 */
export class SnapshotThread implements SnapshotMaker {
  private readonly thread: Thread;

  /** @param most_bytes memory limit of a state, bytes (estimated) */
  constructor(settings: StoreSettings, most_bytes: number, program = PROGRAM) {
    const workerData: ThreadData = { settings: { ...settings }, most_bytes };
    this.thread = new Thread(
      'the snapshot thread',
      () => new Worker(program, { workerData, name: 'snapshots' }),
    );
  }

  /** Undefined for events in memory. */
  static for(settings: StoreSettings, most_bytes: number): SnapshotThread | undefined {
    if (settings.event_store === 'memory') return undefined;
    return new SnapshotThread(settings, most_bytes);
  }

  make(drive_id: string, revision: number): Promise<Snapshot> {
    return this.thread.ask({ drive_id, revision });
  }

  /** Ends the thread once its snapshots are made. */
  close(): Promise<void> {
    return this.thread.close({});
  }

  /** Ends it at once. */
  end(): Promise<void> {
    return this.thread.end();
  }
}
