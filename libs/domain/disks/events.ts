import { DIRECTORY_TYPES, type DirectoryType } from '../kernel/permission-types.js';
import type { EventSchemas } from '../kernel/event.js';
import type { DiskFields, DiskType, Folder } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeFile, removeFolder } from '../relations/remove-items.js';
import { removeGrantsOn } from '../relations/cascade.js';
import { defaultGrant } from '../relations/default-grant.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

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

/** A top folder of a disk: no parent, sovereign, never expiring. */
function topFolder(id: string, name: string, disk_id: string, by: string, at_ms: number): Folder {
  return {
    id,
    name,
    parent_folder_uuid: null,
    disk_id,
    created_by: by,
    created_at: at_ms,
    last_updated_by: by,
    last_updated_date_ms: at_ms,
    expires_at: -1,
    has_sovereign_permissions: true,
  };
}

export const diskEvolvers: Evolvers<DiskEvents> = {
  DiskCreated(state, data, { timestamp_ms: at_ms }) {
    const { disk_id, created_by: by, everyone_grant, creator_grants, ...fields } = data;
    state.disks.put({ ...fields, id: disk_id, created_at: at_ms });
    state.folders.put(topFolder(fields.root_folder, '', disk_id, by, at_ms));
    state.folders.put(topFolder(fields.trash_folder, '.trash', disk_id, by, at_ms));
    const grant = (
      id: string,
      folder_id: string,
      to: string,
      types: readonly DirectoryType[],
      inheritable: boolean,
    ): void =>
      state.directory_permissions.put(
        defaultGrant(id, folder_id, to, by, types, inheritable, at_ms),
      );
    if (everyone_grant) {
      const { permission_id, group_id, permission_types } = everyone_grant;
      grant(permission_id, fields.root_folder, group_id, permission_types, true);
    }
    if (creator_grants) {
      const { root_permission_id, trash_permission_id } = creator_grants;
      grant(root_permission_id, fields.root_folder, by, DIRECTORY_TYPES, true);
      grant(trash_permission_id, fields.trash_folder, by, DIRECTORY_TYPES, false);
    }
  },

  DiskUpdated(state, { disk_id, ...fields }) {
    const disk = state.disks.get(disk_id);
    if (disk) state.disks.put({ ...disk, ...fields });
  },

  *DiskDeleted(state, { disk_id }, { timestamp_ms }) {
    for (const file of state.files.where('disk', disk_id))
      yield* removeFile(state, file, timestamp_ms);
    for (const folder_id of [...state.folders.by('disk', disk_id)])
      yield* removeFolder(state, folder_id);
    yield* removeGrantsOn(state, disk_id);
    state.disks.remove(disk_id);
  },
};

export const diskSummaries: Summaries<DiskEvents> = {
  DiskCreated: ({ actor, name }, { disk_id }) => `${actor} made the disk ${name(disk_id)}`,

  DiskUpdated: (context, { disk_id }) => changed(context, 'disk', disk_id),

  DiskDeleted: ({ actor, name }, { disk_id }) => `${actor} deleted the disk ${name(disk_id)}`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends DiskEvents {}
}
