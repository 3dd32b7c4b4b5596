import type { DomainSettings } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { AppendHealth } from '../following/append-health.js';
import type { DecidedEvent } from './call.js';
import type { DamagedDrives } from '../following/damaged-drives.js';
import type { EngineLimits } from '../drives/limits.js';
import type { LeftOvers } from '../read-models/left-overs.js';
import type { ProjectorServices } from '../read-models/projector.js';
import type { WriteObserver } from '../following/write-observer.js';
import type { Timer } from './write-turns.js';

/** Dependencies of a drive on its process. */
export interface DriveServices<Drive> extends ProjectorServices {
  readonly keys: KeyVault;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /** Timer for the turns of processes that write to one drive. */
  readonly timer: Timer;
  /** Aborted at shutdown, when commands are no longer awaited. */
  readonly stopping: AbortSignal;
  /**
   * Called before every append, with the records that the batch changes. The append waits for the result; its failure
   * fails the batch.
   */
  readonly appending: (drive: Drive, touched: readonly TouchedKey[]) => Promise<void> | null;
  /** Records the outcome of every append. */
  readonly appends: AppendHealth;
  readonly observer: WriteObserver;
  readonly damaged: DamagedDrives;
  readonly left_overs: LeftOvers;
  /** Called when texts of a drive can no longer be read. */
  readonly forgotten: (drive_id: string) => void;
  /** Called for failures that do not fail a call. */
  readonly report: (what: string, drive_id: string, error: unknown) => void;
  /** Called if a read model could not be advanced to its drive's revision; it is retried. */
  readonly lagging: (drive: Drive, error: unknown) => void;
  /**
   * Called after every durable batch, before its answers, with the changed records, and with the events if this
   * process decided them.
   */
  readonly advanced: (
    drive: Drive,
    touched: readonly TouchedKey[],
    decided: readonly DecidedEvent[],
  ) => void;
}
