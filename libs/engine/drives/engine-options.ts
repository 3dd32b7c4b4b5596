import type { DomainSettings } from '../../domain/foundation/decision.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { ReadModel } from '../../read-model/port.js';
import type { Notice } from '../following/append-health.js';
import type { Drive } from '../writer/drive.js';
import type { EngineLimits } from './limits.js';
import type { ProcessRole } from './role.js';
import type { Timer } from '../writer/write-turns.js';

/** What the drives of a process are made of. */
export interface EngineOptions {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly read_model: ReadModel;
  readonly limits: EngineLimits;
  readonly settings: DomainSettings;
  /** Milliseconds since epoch. */
  readonly clock?: () => number;
  /** By which processes that write to one drive take turns; the machine's unless given. */
  readonly timer?: Timer;
  /** `ROLES.embedded` unless given. */
  readonly role?: ProcessRole;
  /** Told when appends begin to fail, and when they succeed again. */
  readonly notice?: Notice;
  /** Told of failures in background work; nothing is lost by them. */
  readonly report?: (what: string, drive_id: string, error: unknown) => void;
}

/** Looks on as drives change. */
export interface DriveFollower {
  /** See `DriveServices.appending`; the drive's head is the place behind which the batch will stand. */
  appending(drive: Drive, touched: readonly TouchedKey[]): Promise<void> | null;
  /** Told after every batch that became durable; must not fail. */
  advanced(drive: Drive): void;
}

/** A drive has moved on. */
export interface Advance {
  readonly drive_id: string;
}
