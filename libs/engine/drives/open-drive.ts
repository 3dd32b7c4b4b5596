import type { DriveState } from '../../domain/foundation/state.js';
import { isUnder } from '../../domain/contacts/person.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import type { SideStores } from '../../event-store/stores.js';
import type { Checkpoint } from '../../read-model/port.js';
import { Unavailable } from '../writer/call.js';
import { Drive } from '../writer/drive.js';
import type { DriveServices } from '../writer/drive-services.js';
import { genesisHash } from '../proofs/event-hash.js';
import { BrokenStream, FACTORY_ID } from '../fold/fold.js';
import { Keyring } from '../keys/keyring.js';
import { isOld } from '../read-models/generations.js';
import { type LoadedState, positionOf } from '../fold/loader.js';
import { Presence } from '../read-models/presence.js';
import type { LastSnapshot } from '../snapshots/snapshotter.js';
import type { ProcessRole } from './role.js';
import { TooLarge } from '../fold/state-bytes.js';

/** A drive as the stores hold it, and the snapshot it came from. */
export interface OpenedDrive {
  readonly drive: Drive;
  readonly snapshot: LastSnapshot;
}

/**
 * Loads a drive to the end of its stream, with its read model there. @throws Unavailable `broken`, or
 * whatever the stores throw
 */
export async function openDrive(
  drive_id: string,
  services: DriveServices<Drive>,
  side: SideStores,
): Promise<OpenedDrive> {
  const { loaded, checkpoint } = await loadWhole(drive_id, services).catch((error: unknown) => {
    if (error instanceof TooLarge) services.report('too large, not served', drive_id, error);
    if (!(error instanceof BrokenStream)) throw error;
    services.harmed.noticed(drive_id, error);
    throw new Unavailable('broken', { cause: error });
  });
  // After the events: keys are stored before what they seal, so every key in use is found.
  const [keys, seen] = await Promise.all([side.keys.all(drive_id), side.presence.load(drive_id)]);
  const { folded } = loaded;
  const drive = new Drive(
    drive_id,
    folded,
    new Keyring(drive_id, keys, lacksKeys(folded.state, keys)),
    new Presence(seen),
    positionOf(loaded),
    services,
  );
  await drive.forgetErased();
  await drive.openReadModel(checkpoint);
  const { snapshot_revision, snapshot_bytes, bytes_folded } = loaded;
  const snapshot = {
    revision: snapshot_revision ?? -1,
    bytes: snapshot_bytes,
    folded_bytes: -bytes_folded,
  };
  return { drive, snapshot };
}

/**
 * The state at the end of the stream; with a read model that outlives the process, where that one stands:
 * what has changed since is known from folding on.
 */
async function loadWhole(
  drive_id: string,
  { loader, read_model, role, report }: DriveServices<Drive>,
): Promise<{ loaded: LoadedState; checkpoint: Checkpoint | null }> {
  if (role.maintains && read_model.durable) {
    await sweepLeftOvers(drive_id, read_model, role);
    const checkpoint = await read_model.checkpoint(drive_id);
    if (checkpoint) {
      const { revision, event_hash } = checkpoint;
      const loaded = await loader.load(drive_id, { to: revision, with_keys: true });
      const { last_event, folded } = loaded;
      // A stream without events, such as that of a factory nobody has used, stands at its beginning.
      const hash = last_event?.hash ?? genesisHash(drive_id);
      const is_there = Buffer.from(hash).equals(event_hash);
      if (is_there && folded.state.revision === revision) return { loaded, checkpoint };
      report('read model of another past, made anew', drive_id, new Rewound(revision));
      await read_model.forget(drive_id);
    }
  }
  return { loaded: await loader.load(drive_id, { to: Infinity }), checkpoint: null };
}

/** The stream does not lead to where something derived from it stands: it was restored from a backup. */
class Rewound extends Error {
  override readonly name = 'Rewound';
  constructor(revision: number) {
    super(`revision ${revision} is not the event that the read model was made of`);
  }
}

/**
 * Sweeps generations that a crash left half built: where other processes may be building one, only those
 * that nobody can be at work on any more.
 */
async function sweepLeftOvers(
  drive_id: string,
  read_model: DriveServices<Drive>['read_model'],
  { follows }: ProcessRole,
): Promise<void> {
  for (const { generation, active } of await read_model.generations(drive_id))
    if (!active && (!follows || isOld(generation))) await read_model.sweep(drive_id, generation);
}

/**
 * True if the drive's secrets lie under a key that is not here: another one under its name would make
 * them unreadable for good. Every drive has such secrets from its first event, the factory once a card
 * holds a disk.
 */
function lacksKeys(state: DriveState, keys: ReadonlyMap<string, Uint8Array>): boolean {
  if (keys.has(DRIVE_KEY_ID) || state.revision < 0) return false;
  if (state.drive_id !== FACTORY_ID) return true;
  const under_key = new Set([DRIVE_KEY_ID]);
  return [...state.giftcards.values()].some((card) => isUnder(card, under_key));
}
