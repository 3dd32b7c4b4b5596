import type { DomainSettings } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { AppendHealth } from '../following/append-health.js';
import type { DecidedEvent } from './call.js';
import type { HarmedDrives } from '../following/harmed-drives.js';
import type { EngineLimits } from '../drives/limits.js';
import type { ProjectorServices } from '../read-models/projector.js';
import type { Timer } from './write-turns.js';

/** What a drive needs of the process it lives in. */
export interface DriveServices<Drive> extends ProjectorServices {
  readonly keys: KeyVault;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /** By which processes that write to one drive take turns. */
  readonly timer: Timer;
  /** Aborted once nobody waits for commands any more. */
  readonly stopping: AbortSignal;
  /**
   * Called before every append, with the records that the batch changes; what it answers is waited for,
   * and its failure is the batch's.
   */
  readonly appending: (drive: Drive, touched: readonly TouchedKey[]) => Promise<void> | null;
  /** Told how every append ended. */
  readonly appends: AppendHealth;
  /** Knows whose streams were harmed by others. */
  readonly harmed: HarmedDrives;
  /** Told when texts of a drive can no longer be read. */
  readonly forgotten: (drive_id: string) => void;
  /** Told of failures that end no call. */
  readonly report: (what: string, drive_id: string, error: unknown) => void;
  /** Told that a read model could not be brought to where its drive stands, and why: it is tried again. */
  readonly lagging: (drive: Drive, error: unknown) => void;
  /**
   * Told of the records that changed after every batch that became durable, before its answers, and of
   * its events if this process made them.
   */
  readonly advanced: (
    drive: Drive,
    touched: readonly TouchedKey[],
    decided: readonly DecidedEvent[],
  ) => void;
}
