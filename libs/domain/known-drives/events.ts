import type { EventSchemas } from '../kernel/event.js';
import type { KnownDriveFields } from './record.js';

export interface KnownDriveEvents {
  KnownDriveCreated: KnownDriveFields & { drive_id: string };
  /** A changed name of the drive's own record also changes the organization's name. */
  KnownDriveUpdated: { drive_id: string } & Partial<KnownDriveFields>;
  KnownDriveDeleted: { drive_id: string };
}

export const knownDriveSchemas: EventSchemas<KnownDriveEvents> = {
  KnownDriveCreated: { version: 1, secret: ['email'] },
  KnownDriveUpdated: { version: 1, secret: ['email'] },
  KnownDriveDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends KnownDriveEvents {}
}
