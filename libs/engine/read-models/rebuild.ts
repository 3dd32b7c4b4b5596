import { inTurns } from '../tasks/turns.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { Drive } from '../writer/drive.js';
import type { Drives } from '../drives/drives.js';
import { genesisHash } from '../proofs/hashing.js';
import { FAR, type Refolding } from '../fold/far-folder.js';
import { emptyState, foldOnto } from '../fold/fold.js';
import type { IndexFeed } from './index-feed.js';
import type {
  DocumentSource,
  LocalReadModel,
  ReadModel,
  StateIndex,
  StreamPlace,
} from '../../read-model/port.js';
import { newGeneration } from './projector.js';
import { type FoldedState, readSnapshot } from '../snapshots/snapshot.js';
import { stateSource } from './source.js';

interface RebuildProgress {
  events_folded: number;
  events_total: number;
  documents_written: number;
}

/** Maximum rounds of catching up with the live drive before its queue is held. */
const CATCH_UP_ROUNDS = 8;
/** Maximum attempts to switch while other processes are further ahead. */
const MOST_SWITCHES = 100;

/**
 * Rebuilds a drive's read model and its event index from one read of the stream. Each is activated in one step; first
 * the read model, independently of the index.
 */
export async function rebuildReadModels(
  drives: Drives,
  drive_id: string,
  progress: RebuildProgress,
): Promise<void> {
  const { indexer, side } = drives;
  const { losses } = side.index;
  const index = indexer.begin(drive_id);
  let revision: number;
  try {
    const rebuilding = (drive: Drive) => rebuildReadModel(drives, drive, progress, index);
    ({ revision } = await drives.hold(drive_id, rebuilding));
  } catch (error) {
    await indexer.abandon(drive_id, index);
    throw error;
  }
  try {
    await indexer.switchTo(drive_id, index);
  } catch (error) {
    // After damage, the next operation finds an empty index, which is filled from the events.
    await side.index.position(drive_id);
    if (side.index.losses === losses) throw error;
    await indexer.storedUpTo(drive_id, revision);
  }
}

/** A read model in the making, over a newly folded state. */
interface Making {
  /** Called once with the folded state. Resolves with the number of documents. */
  build(fresh: FoldedState, place: StreamPlace): Promise<number>;
  /** Called after the state has advanced, with the changed records. */
  apply(from_revision: number, place: StreamPlace, touched: readonly TouchedKey[]): Promise<void>;
  /** Replaces the drive's state and read model. False if those in use are further ahead: then nothing has changed. */
  switchTo(): Promise<boolean>;
  /** Called after a failure. */
  abandon(): Promise<void>;
}

/**
 * Rebuilds a drive's read model from event 0 while the active ones keep answering, then switches in one step. Only
 * the last few events are folded with the drive's queue held. The drive continues with the newly folded state, so
 * queries and decisions use the same state.
 *
 * If a feed of an index is given, it receives all events.
 */
export async function rebuildReadModel(
  drives: Drives,
  drive: Drive,
  progress: RebuildProgress,
  index?: IndexFeed,
): Promise<{ revision: number }> {
  const { events, read_model } = drives;
  const making = read_model.durable
    ? documents(drive, read_model, progress)
    : stateIndex(drive, read_model);
  progress.events_total = drive.head.revision + 1;
  // If the drive were evicted, another object would serve it and this switch would have no effect.
  drive.holders++;
  try {
    const { fresh, last_hash } = await refold(drives, drive, progress, index);
    // In turns: the first queries and commands after the switch would wait for it at once.
    await inTurns(fresh.state.indexing(true));
    let event_hash = last_hash;
    progress.documents_written = await making.build(fresh, {
      revision: fresh.state.revision,
      event_hash,
    });
    const catchUp = async (): Promise<void> => {
      const from_revision = fresh.state.revision;
      if (from_revision >= drive.head.revision) return;
      const touched: TouchedKey[] = [];
      await foldOnto(fresh, index?.source(events) ?? events, {
        to: drive.head.revision,
        touched(keys, event) {
          event_hash = event.hash;
          index?.note(keys, event);
          for (const key of keys) touched.push(key);
        },
      });
      const { revision } = fresh.state;
      progress.events_folded = revision + 1;
      progress.documents_written += touched.length;
      await making.apply(from_revision, { revision, event_hash }, touched);
    };
    for (let round = 0; round < CATCH_UP_ROUNDS; round++) await catchUp();
    for (let attempt = 1; ; attempt++) {
      const switched = await drive.exclusively(async () => {
        await catchUp();
        return making.switchTo();
      });
      if (switched) return { revision: fresh.state.revision };
      if (attempt === MOST_SWITCHES) throw new Error('the rebuilt read model keeps lagging');
      // Another process has advanced the active one to events that this drive does not know yet.
      await drive.follow();
    }
  } catch (error) {
    // What remains is swept as after a crash.
    await making.abandon().catch(() => {});
    throw error;
  } finally {
    drive.holders--;
  }
}

function documents(drive: Drive, read_model: ReadModel, progress: RebuildProgress): Making {
  const { drive_id } = drive;
  const generation = newGeneration();
  let fresh: FoldedState;
  let source: DocumentSource;
  return {
    build(folded, place) {
      fresh = folded;
      source = stateSource(fresh.state, drive.keyring.open);
      return read_model.build(drive_id, generation, place, source, (written) => {
        progress.documents_written = written;
      });
    },
    async apply(from_revision, place, touched) {
      const step = { drive_id, generation, from_revision, ...place, touched, source };
      if (!(await read_model.apply(step)))
        throw new Error('the read model in progress no longer exists');
    },
    async switchTo() {
      const old = await read_model.checkpoint(drive_id);
      if (!(await read_model.activate(drive_id, generation))) return false;
      drive.adopt(fresh, { generation });
      if (old) await read_model.sweep(drive_id, old.generation);
      return true;
    },
    abandon: () => read_model.sweep(drive_id, generation),
  };
}

/** A new index over the state. It has the families in use, so that no query waits after the switch. */
function stateIndex(drive: Drive, { families }: LocalReadModel): Making {
  let fresh: FoldedState;
  let index: StateIndex | null;
  return {
    async build(folded) {
      fresh = folded;
      index = drive.indexOver(fresh);
      if (drive.reads) await index?.prepareAs(drive.reads);
      return families.reduce((sum, family) => sum + (fresh.state.table(family)?.size ?? 0), 0);
    },
    // The index follows the state by itself, with its next query.
    async apply() {},
    async switchTo() {
      drive.adopt(fresh, { index });
      return true;
    },
    async abandon() {},
  };
}

/** The state of a drive at its head, folded from event 0; a long stream in another thread. */
async function refold(
  { events, far_folder }: Drives,
  { drive_id, head }: Drive,
  progress: RebuildProgress,
  index?: IndexFeed,
): Promise<{ readonly fresh: FoldedState; readonly last_hash: Uint8Array }> {
  const { revision: to } = head;
  if (far_folder && to > FAR) {
    const taking: Refolding = {
      index,
      progress: (folded) => (progress.events_folded += folded),
    };
    const made = await far_folder.refold(drive_id, to, taking);
    if (made) return { fresh: await readSnapshot(drive_id, made.body), last_hash: made.event_hash };
  }
  const fresh = emptyState(drive_id);
  let last_hash: Uint8Array = genesisHash(drive_id);
  await foldOnto(fresh, index?.source(events) ?? events, {
    to,
    touched(keys, event) {
      last_hash = event.hash;
      index?.note(keys, event);
    },
    progress: () => (progress.events_folded = fresh.state.revision + 1),
  });
  return { fresh, last_hash };
}
