import type { DriveState } from '../../domain/foundation/state.js';
import { isUnder } from '../../domain/contacts/person.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { EventsUnusable } from '../../event-store/port.js';
import { KeyDoesNotOpen, type SideStores } from '../../event-store/stores.js';
import type { Checkpoint } from '../../read-model/port.js';
import { Unavailable } from '../writer/call.js';
import { Drive } from '../writer/drive.js';
import type { DriveServices } from '../writer/drive-services.js';
import { genesisHash } from '../proofs/hashing.js';
import { BrokenStream, FACTORY_ID } from '../fold/fold.js';
import { Keyring } from '../keys/keyring.js';
import { type LoadedState, positionOf } from '../fold/loader.js';
import { Presence } from '../read-models/presence.js';
import type { LastSnapshot } from '../snapshots/snapshotter.js';
import { TooLarge } from '../fold/state-bytes.js';
import { inTurns } from '../tasks/turns.js';

const DAMAGES = [BrokenStream, EventsUnusable, KeyDoesNotOpen] as const;

/** A drive as stored, and the snapshot it was loaded from. */
interface OpenedDrive {
  readonly drive: Drive;
  readonly snapshot: LastSnapshot;
}

/**
 * Loads a drive to the end of its stream, together with its read model. @throws Unavailable `broken`, and errors of
 * the stores
 */
export async function openDrive(
  drive_id: string,
  services: DriveServices<Drive>,
  side: SideStores,
): Promise<OpenedDrive> {
  const unlessDamaged = (error: unknown): never => {
    if (error instanceof TooLarge) services.report('too large, not served', drive_id, error);
    if (!DAMAGES.some((damage) => error instanceof damage)) throw error;
    services.damaged.noticed(drive_id, error);
    throw new Unavailable('broken', { cause: error });
  };
  const { loaded, checkpoint } = await loadWhole(drive_id, services).catch(unlessDamaged);
  // After the events: keys are stored before the events that need them, so all keys are found.
  const [keys, seen] = await Promise.all([
    side.keys.all(drive_id).catch(unlessDamaged),
    side.presence.load(drive_id),
  ]);
  const { folded } = loaded;
  const drive = new Drive(
    drive_id,
    folded,
    new Keyring(drive_id, keys, lacksKeys(folded.state, keys)),
    new Presence(seen, services.clock()),
    positionOf(loaded),
    services,
  );
  await drive.forgetErased();
  await drive.openReadModel(checkpoint);
  const { made, snapshot_revision, snapshot_bytes, bytes_folded } = loaded;
  const is_kept = made && services.role.maintains;
  // The next load is shorter, and no other snapshot is due soon.
  if (is_kept)
    await side.snapshots
      .put(made)
      .catch((error: unknown) => services.report('snapshot failed', drive_id, error));
  const snapshot = {
    revision: (is_kept ? made.revision : snapshot_revision) ?? -1,
    bytes: snapshot_bytes,
    folded_bytes: -bytes_folded,
    changes: 0,
  };
  return { drive, snapshot };
}

/**
 * Folds to the end of the stream. With a durable read model it stops at the checkpoint first, so that later changes
 * are known.
 */
async function loadWhole(
  drive_id: string,
  { loader, read_model, role, report, left_overs }: DriveServices<Drive>,
): Promise<{ loaded: LoadedState; checkpoint: Checkpoint | null }> {
  if (role.maintains && read_model.durable) {
    await left_overs.loading(drive_id);
    const checkpoint = await read_model.checkpoint(drive_id);
    if (checkpoint) {
      const { revision, event_hash } = checkpoint;
      const loaded = await loader.load(drive_id, { to: revision, with_keys: true });
      const { last_event, folded } = loaded;
      // An empty stream, such as that of an unused factory, is at its beginning.
      const hash = last_event?.hash ?? genesisHash(drive_id);
      const is_there = Buffer.from(hash).equals(event_hash);
      if (is_there && folded.state.revision === revision) {
        await inTurns(folded.state.indexing(true));
        return { loaded, checkpoint };
      }
      report('read model of a diverging history, rebuilt', drive_id, new Rewound(revision));
      await read_model.forget(drive_id);
    }
  }
  return { loaded: await loader.load(drive_id, { to: Infinity }), checkpoint: null };
}

/** The stream does not contain the event of a derived store's position: a backup was restored. */
class Rewound extends Error {
  override readonly name = 'Rewound';
  constructor(revision: number) {
    super(`revision ${revision} is not the event of the read model`);
  }
}

/**
 * True if the drive's key is missing. Creating another key under its id would make the drive's secrets unreadable
 * permanently. Every drive has secrets from its first event, the factory once a card holds a disk.
 */
function lacksKeys(state: DriveState, keys: ReadonlyMap<string, Uint8Array>): boolean {
  if (keys.has(DRIVE_KEY_ID) || state.revision < 0) return false;
  if (state.drive_id !== FACTORY_ID) return true;
  const under_key = new Set([DRIVE_KEY_ID]);
  return [...state.giftcards.values()].some((card) => isUnder(card, under_key));
}
