import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { Digest } from '../../proofs/digest.js';
import { BrokenStream, emptyState, FACTORY_ID, foldOnto, streamOf } from '../fold.js';
import { type Verification, verifyStream } from './verify.js';

export interface FolderInput {
  readonly events: EventStore;
  readonly side: SideStores;
  /** Digests that streams must contain; each is held against its own drive. */
  readonly digests?: readonly Digest[];
  /** Only these drives; all that the factory names, and the factory itself, unless given. */
  readonly drive_ids?: readonly string[];
  readonly progress?: (drive_id: string, checked_events: number, events: number) => void;
  /** Ends the verification with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface StreamReport extends Verification {
  readonly drive_id: string;
}

/**
 * Verifies the streams and snapshots of stores that nobody serves, one after another; nothing is written.
 * A stream that the stores cannot even read is reported like one that does not fit.
 */
export async function* verifyFolder(input: FolderInput): AsyncGenerator<StreamReport> {
  const { events, side, digests = [], progress, signal } = input;
  for (const drive_id of input.drive_ids ?? [FACTORY_ID, ...(await drivesOf(events))]) {
    const own = digests.filter((digest) => digest.drive_id === drive_id);
    // The stream is read once for each digest; nobody keeps many.
    for (const digest of own.length > 0 ? own : [undefined])
      try {
        const head = await events.head(streamOf(drive_id));
        const { checked, findings } = await verifyStream({
          drive_id,
          events,
          side,
          digest,
          progress(size) {
            signal?.throwIfAborted();
            progress?.(drive_id, size, (head?.revision ?? -1) + 1);
          },
        });
        yield { drive_id, ...findings.verification(checked.size) };
      } catch (error) {
        signal?.throwIfAborted();
        yield { drive_id, ...unreadable(error) };
      }
  }
}

/** Ids of all drives, as far as the factory's stream can be folded. */
async function drivesOf(events: EventStore): Promise<string[]> {
  const factory = emptyState(FACTORY_ID);
  try {
    await foldOnto(factory, events, { to: Infinity });
  } catch (error) {
    // What is wrong with the factory's stream is told with that stream.
    if (!(error instanceof BrokenStream)) throw error;
  }
  return [...factory.state.spawned_drives.ids()];
}

function unreadable(error: unknown): Verification {
  return {
    valid: false,
    checked_events: 0,
    first_bad_revision: null,
    reason: `The store cannot read it: ${error instanceof Error ? error.message : String(error)}.`,
    drift_documents: null,
  };
}
