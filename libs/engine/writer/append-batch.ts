import { setTimeout as after } from 'node:timers/promises';
import {
  AppendOutcomeUnknown,
  type EventStore,
  isUnreachable,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { EngineLimits } from '../drives/limits.js';
import type { Batch } from './batch.js';
import type { UnavailableReason } from './call.js';
import { streamOf } from '../fold/fold.js';
import type { Keyring } from '../keys/keyring.js';
import type { Timer } from './write-turns.js';

interface AppendServices {
  readonly events: EventStore;
  readonly timer: Pick<Timer, 'now'>;
  readonly limits: Pick<EngineLimits, 'append_deadline_ms'>;
  /** Aborted at shutdown. */
  readonly stopping: AbortSignal;
}

const FIRST_RETRY_MS = 20;
const LONGEST_RETRY_MS = 500;

/** Another process created a key of that id first; what was sealed under ours must be decided again. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/**
 * Stores keys generated while deciding. Two processes may generate one for the same id: that of the drive, or of a
 * contact that had no personal text before. @throws KeyTaken
 */
export async function storeKeys(
  vault: KeyVault,
  drive_id: string,
  keyring: Keyring,
): Promise<void> {
  const { unsaved } = keyring;
  const existed = await vault.put(drive_id, unsaved);
  const others: string[] = [];
  for (const key_id of existed) {
    const stored = await vault.get(drive_id, key_id);
    // The answer to an earlier try was lost.
    if (stored && Buffer.from(stored).equals(unsaved.get(key_id)!)) continue;
    if (stored) keyring.learn(key_id, stored);
    else keyring.forget([key_id]);
    others.push(key_id);
  }
  keyring.saved(unsaved.keys());
  if (others.length > 0) throw new KeyTaken();
}

/**
 * Appends exactly this batch, repeatedly while its outcome is unknown, until `limit_ms` have passed or `stopping`.
 * @throws StoreUnreachable at once if nothing was sent
 */
export async function appendBatch(
  { events, timer, limits, stopping }: AppendServices,
  drive_id: string,
  batch: Batch,
): Promise<void> {
  const deadline = timer.now() + limits.append_deadline_ms;
  let unknown: AppendOutcomeUnknown | undefined;
  for (let wait_ms = FIRST_RETRY_MS; ; wait_ms = Math.min(2 * wait_ms, LONGEST_RETRY_MS)) {
    try {
      await events.append(streamOf(drive_id), batch.before.revision, batch.events);
      return;
    } catch (error) {
      // A batch that was sent once may be stored, even if it cannot be sent again.
      if (error instanceof AppendOutcomeUnknown) unknown = error;
      else if (!unknown || !isUnreachable(error)) throw error;
      if (timer.now() + wait_ms > deadline) throw unknown;
      const pause = { ref: false, signal: stopping };
      await after(wait_ms * (0.5 + Math.random()), undefined, pause).catch(() => {
        throw unknown;
      });
    }
  }
}

/** Why the commands of a batch that could not be appended fail. */
export function reasonOf(error: unknown): UnavailableReason {
  if (error instanceof AppendOutcomeUnknown) return 'outcome-unknown';
  return isUnreachable(error) ? 'store-unavailable' : 'store-failed';
}

/** True if another process has written first, so that the commands must be decided again. */
export function isConflict(error: unknown): boolean {
  return error instanceof WrongExpectedRevision || error instanceof KeyTaken;
}
