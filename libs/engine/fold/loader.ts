import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { WriterPosition } from '../writer/batch.js';
import { genesisHash } from '../proofs/hashing.js';
import {
  emptyState,
  FACTORY_ID,
  foldOnto,
  type FoldOptions,
  type FoldResult,
  hasEvent,
  orBroken,
  streamOf,
} from './fold.js';
import { type FoldedState, readSnapshot, SNAPSHOT_VERSION } from '../snapshots/snapshot.js';
import { TooLarge } from './state-bytes.js';
import { inTurns } from '../tasks/turns.js';
import { Abandoned, admitQuery } from '../tasks/long-query.js';

/** A state folded to a point, and how it was loaded. */
export interface LoadedState extends FoldResult {
  readonly folded: FoldedState;
  /** Revision of the snapshot it started from; null if folded from event 0. */
  readonly snapshot_revision: number | null;
  /** Bytes of that snapshot; 0 without one. */
  readonly snapshot_bytes: number;
  /** Bytes of the bodies of the events folded in. */
  readonly bytes_folded: number;
}

interface LoadOptions extends FoldOptions {
  /** True: load the idempotency keys of the snapshot, for a state that takes commands. */
  readonly with_keys?: boolean;
}

/** Loads states from events and snapshots. */
export class StateLoader {
  /** @param most_bytes memory limit of a state, bytes (estimated) */
  constructor(
    private readonly events: EventStore,
    private readonly side: SideStores,
    private readonly most_bytes = Infinity,
  ) {}

  /**
   * Folds to the end of the stream, or to a revision. The last event is always folded, so the records it touched are
   * known.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  load(drive_id: string, options: LoadOptions): Promise<LoadedState> {
    // Without the factory's state nothing could be served.
    const most_bytes = drive_id === FACTORY_ID ? Infinity : this.most_bytes;
    return orBroken(drive_id, this.fold(drive_id, { most_bytes, ...options }));
  }

  /** Revision of the newest snapshot up to a revision; -1 without one. */
  async snapshotBefore(drive_id: string, at_most: number): Promise<number> {
    const usable = (await this.side.snapshots.list(drive_id)).filter(
      ({ revision, state_version }) => state_version === SNAPSHOT_VERSION && revision <= at_most,
    );
    return usable.reduce((newest, { revision }) => Math.max(newest, revision), -1);
  }

  private async fold(drive_id: string, options: LoadOptions): Promise<LoadedState> {
    admitQuery();
    const base = options.verify ? null : await this.base(drive_id, options);
    const folded = base?.folded ?? emptyState(drive_id);
    // Folding would build each missing index without yielding.
    await inTurns(folded.state.indexing(false));
    const takes_commands = options.to === Infinity;
    const { with_keys = takes_commands } = options;
    let bytes_folded = 0;
    const result = await foldOnto(folded, this.events, {
      ...options,
      coming: (event) => {
        options.coming?.(event);
        bytes_folded += event.data.length;
        if (with_keys) folded.keys.noteFolded(event);
      },
    });
    await inTurns(folded.state.indexing(takes_commands));
    if (takes_commands) {
      await inTurns(folded.frontier.hashingPending());
      await folded.keys.read(this.events, streamOf(drive_id));
    }
    const { snapshot_revision = null, snapshot_bytes = 0 } = base ?? {};
    return { ...result, folded, snapshot_revision, snapshot_bytes, bytes_folded };
  }

  /** The newest usable snapshot before the revision; unusable ones are dropped. */
  private async base(
    drive_id: string,
    { to, most_bytes, with_keys = to === Infinity }: LoadOptions,
  ): Promise<Pick<LoadedState, 'folded' | 'snapshot_revision' | 'snapshot_bytes'> | null> {
    const head = await this.events.head(streamOf(drive_id));
    if (!head) return null;
    let at_most = Math.min(to, head.revision) - 1;
    for (;;) {
      const snapshot = await this.side.snapshots.latest(drive_id, SNAPSHOT_VERSION, at_most);
      if (!snapshot) return null;
      const { revision } = snapshot;
      if (await hasEvent(this.events, drive_id, snapshot)) {
        try {
          const options = { with_keys, most_bytes };
          const folded = await readSnapshot(drive_id, snapshot.body, options);
          return { folded, snapshot_revision: revision, snapshot_bytes: snapshot.body.length };
        } catch (error) {
          if (error instanceof TooLarge || error instanceof Abandoned) throw error;
          // Falls through: an unreadable snapshot is dropped like one of a diverging history.
        }
      }
      await this.side.snapshots.drop(drive_id, [revision]);
      at_most = revision - 1;
    }
  }
}

/** The position at which a writer continues from a loaded state. */
export function positionOf({ folded, last_event, last_touched }: LoadedState): WriterPosition {
  const { state, frontier } = folded;
  return {
    revision: state.revision,
    timestamp_ms: state.timestamp_ms,
    frontier: frontier.hashPending(),
    last_hash: last_event?.hash ?? genesisHash(state.drive_id),
    last_touched,
  };
}
