import type { DomainSettings } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { AnyReadModel } from '../../read-model/port.js';
import type { Notice } from '../following/append-health.js';
import type { IndexFolder } from '../read-models/index-folder.js';
import type { FarFolder } from '../fold/far-folder.js';
import type { SnapshotMaker } from '../snapshots/snapshot-maker.js';
import type { Verifier } from '../verify/verifier.js';
import type { Drive } from '../writer/drive.js';
import type { EngineLimits } from './limits.js';
import type { ProcessRole } from './role.js';
import type { WriteObserver } from '../following/write-observer.js';
import type { Timer } from '../writer/write-turns.js';

/** Work that may be done in another thread. */
export interface BackgroundWork {
  /** Makes the snapshots; in the calling thread unless given. */
  readonly snapshots?: SnapshotMaker;
  /** Folds long spans of events; the calling thread does it unless given. */
  readonly far_folder?: FarFolder;
  /** Verifies drives; in the calling thread unless given. */
  readonly verifier?: Verifier;
  /** Adds long spans of events to the event index; in the calling thread unless given. */
  readonly index_folder?: IndexFolder;
}

/** Dependencies and settings of the drives of a process. */
export interface EngineOptions extends BackgroundWork {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: AnyReadModel;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock?: () => number;
  /** Timer for the turns of writing processes; the machine's unless given. */
  readonly timer?: Timer;
  /** `ROLES.embedded` unless given. */
  readonly role?: ProcessRole;
  readonly observer?: WriteObserver;
  /** Called when appends begin to fail, and when they succeed again. */
  readonly notice?: Notice;
  /** Called for failures in background work; no data is lost by them. */
  readonly report?: (what: string, drive_id: string, error: unknown) => void;
}

export interface DriveFollower {
  /** See `DriveServices.appending`; the batch will follow the drive's head. */
  appending(drive: Drive, touched: readonly TouchedKey[]): Promise<void> | null;
  /** Called after every durable batch; must not throw. */
  advanced(drive: Drive): void;
}

export interface Advance {
  readonly drive_id: string;
}
