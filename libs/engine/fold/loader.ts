import type { EventStore } from '../../event-store/port.js';
import type { SideStores, Snapshot, SnapshotPlace } from '../../event-store/stores.js';
import { Unavailable } from '../writer/call.js';
import type { WriterPosition } from '../writer/decide-command.js';
import { genesisHash } from '../proofs/hashing.js';
import { FAR, type FarFolder, type FoldedSnapshot } from './far-folder.js';
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
  /** The snapshot that another thread made for this, if one did. */
  readonly made: Snapshot | null;
  /** Bytes of the bodies of the events folded in by this thread. */
  readonly bytes_folded: number;
}

/** Events that this thread folds nevertheless for a state that will go back: it can undo only its own steps. */
const STEPS_BACK = 2_000;

/** Events beyond the newest snapshot, or bytes of it, from which a load counts as long: about half a second each. */
const LONG_EVENTS = 50_000;
const LONG_BYTES = 4 * 1024 ** 2;

/** A state to fold onto, and the snapshot it is of. */
interface Base {
  readonly folded: FoldedState;
  readonly snapshot: Snapshot;
  readonly made: FoldedSnapshot | null;
}

interface LoadOptions extends FoldOptions {
  /** True: load the idempotency keys of the snapshot, for a state that takes commands. */
  readonly with_keys?: boolean;
}

export class StateLoader {
  /**
   * @param most_bytes memory limit of a state, bytes (estimated)
   * @param far folds long spans; without it this thread does
   */
  constructor(
    private readonly events: EventStore,
    private readonly side: SideStores,
    private readonly most_bytes = Infinity,
    private readonly far?: Pick<FarFolder, 'fold'>,
  ) {}

  /**
   * Folds to the end of the stream, or to a revision. The last event is always folded, so the records it touched are
   * known. Of the indexes, a state of the end has all; another one has those that its events needed.
   * @throws BrokenStream, TooLarge, Abandoned
   */
  load(drive_id: string, options: LoadOptions): Promise<LoadedState> {
    // Without the factory's state nothing could be served.
    const most_bytes = drive_id === FACTORY_ID ? Infinity : this.most_bytes;
    return orBroken(drive_id, this.fold(drive_id, { most_bytes, ...options }));
  }

  /** Revision of the newest snapshot up to a revision; -1 without one. */
  async snapshotBefore(drive_id: string, at_most: number): Promise<number> {
    return (await this.usable(drive_id, at_most)).at(-1)?.revision ?? -1;
  }

  /** True if loading takes long: beyond the newest snapshot there are many events, or the snapshot itself is large. */
  async isLong(drive_id: string): Promise<boolean> {
    const head = await this.events.head(streamOf(drive_id));
    if (!head) return false;
    const newest = (await this.usable(drive_id, head.revision - 1)).at(-1);
    if (newest && newest.bytes > LONG_BYTES) return true;
    return head.revision - (newest?.revision ?? -1) > LONG_EVENTS;
  }

  /** The snapshots of this release up to a revision, oldest first. */
  private async usable(drive_id: string, at_most: number): Promise<readonly SnapshotPlace[]> {
    return (await this.side.snapshots.list(drive_id)).filter(
      ({ revision, state_version }) => state_version === SNAPSHOT_VERSION && revision <= at_most,
    );
  }

  private async fold(drive_id: string, options: LoadOptions): Promise<LoadedState> {
    admitQuery();
    const base = await this.base(drive_id, options);
    const folded = base?.folded ?? emptyState(drive_id);
    const takes_commands = options.to === Infinity;
    const { with_keys = takes_commands } = options;
    let bytes_folded = 0;
    const result = await foldOnto(folded, this.events, {
      ...options,
      ...(base && { last_hash: base.snapshot.event_hash }),
      coming: (event) => {
        options.coming?.(event);
        bytes_folded += event.data.length;
        if (with_keys) folded.keys.noteFolded(event);
      },
    });
    if (takes_commands) {
      await inTurns(folded.state.indexing(true));
      await inTurns(folded.frontier.hashingPending());
      await folded.keys.read(this.events, streamOf(drive_id));
    } else if (with_keys) {
      // A store may fold without the metadata, which have the keys.
      await folded.keys.readTo(this.events, streamOf(drive_id), folded.state);
    }
    const { snapshot = null, made = null } = base ?? {};
    return {
      ...{ ...result, folded, bytes_folded, made },
      events_folded: result.events_folded + (made?.events_folded ?? 0),
      snapshot_revision: made ? made.base_revision : (snapshot?.revision ?? null),
      snapshot_bytes: snapshot?.body.length ?? 0,
    };
  }

  /** The state from which to fold: of a stored snapshot, or of one that is made if the next one is far. */
  private async base(drive_id: string, options: LoadOptions): Promise<Base | null> {
    const head = await this.events.head(streamOf(drive_id));
    if (!head) return null;
    const at_most = Math.min(options.to, head.revision) - 1;
    const made = await this.madeFor(drive_id, at_most, options);
    if (made) return { folded: await this.read(made, options), snapshot: made, made };
    return options.verify ? null : this.stored(drive_id, at_most, options);
  }

  /** Null if a stored snapshot is near, without another thread, or if that has ended meanwhile: then this one folds. */
  private async madeFor(
    drive_id: string,
    at_most: number,
    { verify = false, undo_steps }: LoadOptions,
  ): Promise<FoldedSnapshot | null> {
    const revision = at_most - (undo_steps ? STEPS_BACK : 0);
    // Few streams are so long: others need no list of their snapshots.
    if (!this.far || revision < FAR) return null;
    const nearest = verify ? -1 : await this.snapshotBefore(drive_id, at_most);
    if (revision - nearest <= FAR) return null;
    try {
      return await this.far.fold(drive_id, revision, verify);
    } catch (error) {
      if (error instanceof Unavailable && error.reason === 'interrupted') return null;
      throw error;
    }
  }

  /** The newest usable snapshot up to a revision; unusable ones are dropped. */
  private async stored(
    drive_id: string,
    at_most: number,
    options: LoadOptions,
  ): Promise<Base | null> {
    for (;;) {
      const snapshot = await this.side.snapshots.latest(drive_id, SNAPSHOT_VERSION, at_most);
      if (!snapshot) return null;
      if (await hasEvent(this.events, drive_id, snapshot)) {
        try {
          return { folded: await this.read(snapshot, options), snapshot, made: null };
        } catch (error) {
          if (error instanceof TooLarge || error instanceof Abandoned) throw error;
          // Falls through: an unreadable snapshot is dropped like one of a diverging history.
        }
      }
      const { revision } = snapshot;
      // A process that only reads cannot drop it.
      await this.side.snapshots.drop(drive_id, [revision]).catch(() => {});
      at_most = revision - 1;
    }
  }

  private read(
    { drive_id, body }: Snapshot,
    { to, most_bytes, with_keys = to === Infinity }: LoadOptions,
  ): Promise<FoldedState> {
    return readSnapshot(drive_id, body, { with_keys, most_bytes });
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
