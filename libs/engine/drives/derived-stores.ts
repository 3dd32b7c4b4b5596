import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { DecidedEvent } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import { Indexer } from '../read-models/indexer.js';
import type { EngineLimits } from './limits.js';
import type { StateLoader } from '../fold/loader.js';
import { LogProofs } from '../proofs/log-prover.js';
import type { ProcessRole } from './role.js';
import { Snapshotter } from '../snapshots/snapshotter.js';

export interface UpkeepOptions {
  readonly events: EventStore;
  readonly side: SideStores;
  readonly loader: StateLoader;
  readonly limits: EngineLimits;
  readonly role: ProcessRole;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
}

/** Derived stores written asynchronously behind the events: snapshots, tiles, event index. */
export class DerivedStores {
  readonly log: LogProofs;
  readonly indexer: Indexer;
  readonly snapshotter: Snapshotter;

  constructor(private readonly options: UpkeepOptions) {
    const { events, side, loader, limits, role, report } = options;
    const failed =
      (what: string) =>
      (drive_id: string, error: unknown): void =>
        report(what, drive_id, error);
    this.snapshotter = new Snapshotter(side, limits, failed('snapshot failed'));
    this.log = new LogProofs(events, side.tiles, failed('tiles not written'));
    this.indexer = new Indexer(events, side.index, loader, role, failed('events not indexed'));
  }

  /** Called after a drive has advanced; `decided` are its new events if this process decided them. */
  advanced(drive: Drive, decided: readonly DecidedEvent[]): void {
    if (!this.options.role.maintains) return;
    this.indexer.note(drive.drive_id, decided);
    this.snapshotter.consider(drive);
    this.log.consider(drive, decided);
  }

  async close(): Promise<void> {
    await this.snapshotter.idle();
    await this.indexer.close();
    await this.log.close();
  }
}
