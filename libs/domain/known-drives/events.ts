import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';

/** The fields of a known drive that a client may set. */
export interface KnownDriveFields {
  name: string;
  icp_principal: string;
  public_note: string;
  private_note: string;
  host_url: string;
  email: Sealed<string | null>;
  external_id: string | null;
  external_payload: string | null;
}

export interface KnownDriveEvents {
  KnownDriveCreated: KnownDriveFields & { drive_id: string };
  /** A new name of the own record is the organization's new name. */
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
