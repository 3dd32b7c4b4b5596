import { type EventStore, isUnreachable } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { Digest } from '../../proofs/digest.js';
import { emptyState, FACTORY_ID, foldOnto, streamOf } from '../fold/fold.js';
import { damageIn } from '../following/stream-damage.js';
import { type Verification, verifyStream } from './verify-drive.js';

interface FolderInput {
  readonly events: EventStore;
  readonly side: SideStores;
  /**
   * Digests that streams must contain; each is checked against its own drive, which must be among the verified ones.
   */
  readonly digests?: readonly Digest[];
  /** Only these drives; by default all that the factory names, and the factory itself. */
  readonly drive_ids?: readonly string[];
  readonly progress?: (drive_id: string, checked_events: number, events: number) => void;
  /** Ends the verification with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface StreamReport extends Verification {
  readonly drive_id: string;
  /** True if the drive has no keys: sealed fields were not checked. */
  readonly is_without_keys?: boolean;
}

/**
 * Verifies the streams and snapshots of stores that are not in use, one after another; writes nothing. Unreadable
 * streams are reported as mismatches, and so are drives without events and digests whose drive is not verified.
 * Stores without events give no reports.
 * @throws StoreUnreachable
 */
export async function* verifyFolder(input: FolderInput): AsyncGenerator<StreamReport> {
  const { events, side, digests = [], progress, signal } = input;
  const drive_ids = new Set(input.drive_ids ?? (await drivesOf(events)));
  for (const drive_id of drive_ids) {
    const own = digests.filter((digest) => digest.drive_id === drive_id);
    // The stream is read once per digest; there are few.
    for (const digest of own.length > 0 ? own : [undefined])
      try {
        const head = await events.head(streamOf(drive_id));
        if (!head) {
          yield { drive_id, ...unverified('It has no events here.') };
          break;
        }
        const { checked, findings, is_without_keys } = await verifyStream({
          drive_id,
          events,
          side,
          index: side.index,
          digest,
          progress(size) {
            signal?.throwIfAborted();
            progress?.(drive_id, size, head.revision + 1);
          },
        });
        yield { drive_id, is_without_keys, ...findings.verification(checked.size) };
      } catch (error) {
        signal?.throwIfAborted();
        // It says nothing about the stream, and would be reported for each of them.
        if (isUnreachable(error)) throw error;
        const why = error instanceof Error ? error.message : String(error);
        yield { drive_id, ...unverified(`The store cannot read it: ${why}.`) };
      }
  }
  for (const { drive_id } of digests)
    if (!drive_ids.has(drive_id))
      yield { drive_id, ...unverified('There is a digest of it, but it was not verified.') };
}

/** The factory and all drives that it names, as far as its stream can be folded; empty if it has no events. */
export async function drivesOf(events: EventStore): Promise<string[]> {
  const factory = emptyState(FACTORY_ID);
  try {
    await foldOnto(factory, events, { to: Infinity });
  } catch (error) {
    // Errors of the factory's stream are reported with that stream.
    if (!damageIn(FACTORY_ID, error)) throw error;
    return [FACTORY_ID, ...factory.state.spawned_drives.ids()];
  }
  if (factory.state.revision < 0) return [];
  return [FACTORY_ID, ...factory.state.spawned_drives.ids()];
}

function unverified(reason: string): Verification {
  return {
    ...{ valid: false, checked_events: 0, first_bad_revision: null, reason },
    drift_documents: null,
  };
}
