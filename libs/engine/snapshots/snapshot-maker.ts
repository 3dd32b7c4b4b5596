import type { FoldableEvent } from '../../event-store/port.js';
import type { Snapshot } from '../../event-store/stores.js';
import type { FoldedSnapshot } from '../fold/far-folder.js';
import type { StateLoader } from '../fold/loader.js';
import { Semaphore } from '../tasks/semaphore.js';
import { type FoldedState, SNAPSHOT_VERSION, writeSnapshot } from './snapshot.js';

/** Makes snapshots from stored events and the snapshot before, in this thread or in another one. */
export interface SnapshotMaker {
  /**
   * The snapshot of a drive at a revision; of an earlier one if the store does not show all events yet. Rejects if it
   * cannot be made; nothing is lost by that.
   */
  make(drive_id: string, revision: number): Promise<Snapshot>;
}

/** Folds the states in the thread that calls it, one at a time: each needs the memory of a state. */
export class FoldedSnapshots implements SnapshotMaker {
  private readonly turns = new Semaphore(1);

  constructor(private readonly loader: StateLoader) {}

  make(drive_id: string, revision: number): Promise<Snapshot> {
    return this.turns.run(async () => {
      const made = await foldedSnapshot(this.loader, drive_id, revision);
      if (!made) throw new Error(`${drive_id} has events unknown to this release`);
      return made;
    });
  }
}

/** Null if there are events unknown to this release. @throws BrokenStream, TooLarge, Abandoned */
export async function foldedSnapshot(
  loader: StateLoader,
  drive_id: string,
  revision: number,
  verify = false,
): Promise<FoldedSnapshot | null> {
  const loaded = await loader.load(drive_id, { to: revision, with_keys: true, verify });
  const { folded, last_event, events_folded, snapshot_revision: base_revision } = loaded;
  // A state loaded from the snapshot then needs no hashing.
  await folded.hash.hashInTurns();
  const snapshot = await snapshotOf(folded, last_event);
  return snapshot && { ...snapshot, events_folded, base_revision };
}

/** Null if there are events unknown to this release: snapshots do not name them. @throws Error without a last event */
export async function snapshotOf(
  folded: FoldedState,
  last_event: FoldableEvent | null,
): Promise<Snapshot | null> {
  const { drive_id, revision, unknown_events } = folded.state;
  if (unknown_events.size > 0) return null;
  if (!last_event) throw new Error(`no event of ${drive_id} is stored`);
  return {
    ...{ drive_id, revision },
    event_hash: last_event.hash,
    state_version: SNAPSHOT_VERSION,
    body: await writeSnapshot(folded),
  };
}
