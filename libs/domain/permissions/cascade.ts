import type { DriveState } from '../drive/state.js';

/** Removes the grants whose resource is gone. */
export function removeGrantsOn(state: DriveState, resource_id: string): void {
  for (const table of [state.directory_permissions, state.system_permissions])
    for (const id of [...table.by('resource', resource_id)]) removeGrant(state, id);
}

/** Removes the grants whose grantee is gone. */
export function removeGrantsTo(state: DriveState, grantee_id: string): void {
  for (const table of [state.directory_permissions, state.system_permissions])
    for (const id of [...table.by('grantee', grantee_id)]) removeGrant(state, id);
}

/** Removes one grant, and the grants on the grant itself. */
export function removeGrant(state: DriveState, permission_id: string): void {
  state.directory_permissions.remove(permission_id);
  state.system_permissions.remove(permission_id);
  for (const id of [...state.system_permissions.by('resource', permission_id)])
    removeGrant(state, id);
}
