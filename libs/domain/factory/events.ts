import type { EventSchemas } from '../kernel/event.js';

/** Events of the stream `factory`. */
export interface FactoryEvents {
  /** A drive whose stream was already appended is registered and exists from now on. */
  DriveSpawned: { drive_id: string };
  /** The import of a drive from another installation has begun; the drive is closed until it ends. */
  DriveImportBegun: { drive_id: string };
  /** The drive's stream is complete, up to the event with this revision and hash (hex); the drive is open. */
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
