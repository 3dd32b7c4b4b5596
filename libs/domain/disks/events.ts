import type { DirectoryType } from '../kernel/permission-types.js';
import type { EventSchemas } from '../kernel/event.js';
import type { DiskFields, DiskType } from './record.js';

export interface DiskEvents {
  /** A disk with its root and trash folder and the default grants on them. */
  DiskCreated: DiskFields & {
    disk_id: string;
    disk_type: DiskType;
    created_by: string;
    root_folder: string;
    trash_folder: string;
    /** Grant on the root folder to the everyone group; null if none was created. */
    everyone_grant: {
      permission_id: string;
      group_id: string;
      permission_types: readonly DirectoryType[];
    } | null;
    /** Grants of all six types to a creator who is not the owner. */
    creator_grants: { root_permission_id: string; trash_permission_id: string } | null;
  };
  DiskUpdated: { disk_id: string } & Partial<DiskFields>;
  DiskDeleted: { disk_id: string };
}

export const diskSchemas: EventSchemas<DiskEvents> = {
  DiskCreated: { version: 1, secret: ['auth_json'] },
  DiskUpdated: { version: 1, secret: ['auth_json'] },
  DiskDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends DiskEvents {}
}
