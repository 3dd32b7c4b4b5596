import { family } from '../foundation/family.js';
import { permissionCommands } from './definitions.js';
import { type PermissionEvents, permissionSchemas } from './events.js';
import { permissionEvolvers } from './evolve.js';
import { directoryPermissionReads, systemPermissionReads } from './reads.js';
import { directoryPermissionFamily, systemPermissionFamily, permissionRefusals } from './record.js';
import { permissionSummaries } from './summaries.js';

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
