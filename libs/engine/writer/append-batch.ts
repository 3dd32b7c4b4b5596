import { setTimeout as after } from 'node:timers/promises';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
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

/** Another process created the drive's key first; data sealed under ours must be decided again. */
export class KeyTaken extends Error {
  override readonly name = 'KeyTaken';
}

/** Stores keys generated while deciding. @throws KeyTaken */
export async function storeKeys(
  vault: KeyVault,
  drive_id: string,
  keyring: Keyring,
): Promise<void> {
  const { unsaved } = keyring;
  await vault.put(drive_id, unsaved);
  // Subjects' keys have unique ids; two processes may generate the drive's key at the same time.
  const made = unsaved.get(DRIVE_KEY_ID);
  const stored = made && (await vault.get(drive_id, DRIVE_KEY_ID));
  keyring.saved(unsaved.keys());
  if (!stored || Buffer.from(stored).equals(made)) return;
  keyring.learn(DRIVE_KEY_ID, stored);
  throw new KeyTaken();
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
