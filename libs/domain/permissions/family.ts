import { family } from '../foundation/family.js';
import { permissionCommands } from './definitions.js';
import {
  type PermissionEvents,
  permissionEvolvers,
  permissionSchemas,
  permissionSummaries,
} from './events.js';
import { directoryPermissionReads, systemPermissionReads } from './reads.js';
import { directoryPermissionFamily, permissionRefusals, systemPermissionFamily } from './record.js';

/** Grants of directory and system permissions. */
export const permissions = family<PermissionEvents>()({
  records: {
    directory_permissions: directoryPermissionFamily,
    system_permissions: systemPermissionFamily,
  },
  events: permissionSchemas,
  evolve: permissionEvolvers,
  summaries: permissionSummaries,
  refusals: permissionRefusals,
  commands: permissionCommands,
  reads: {
    directory_permissions: directoryPermissionReads,
    system_permissions: systemPermissionReads,
  },
});
