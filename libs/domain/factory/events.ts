import type { EventSchemas } from '../kernel/event.js';

/** Events of the stream `factory`. */
export interface FactoryEvents {
  /** The drive whose stream was written before is named, and exists from now on. */
  DriveSpawned: { drive_id: string };
  /** A drive is being brought here from another installation; closed until its import ends. */
  DriveImportBegun: { drive_id: string };
  /** The drive's stream is here whole, up to the event with this revision and hash (hex); it is open. */
  DriveImported: { drive_id: string; revision: number; chain_hash: string };
}

export const factorySchemas: EventSchemas<FactoryEvents> = {
  DriveSpawned: { version: 1 },
  DriveImportBegun: { version: 1 },
  DriveImported: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends FactoryEvents {}
}
