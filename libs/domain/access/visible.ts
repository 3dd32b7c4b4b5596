import type { SystemType } from '../permissions/record.js';
import type { Access } from './access.js';
import { isCounting } from './grants.js';

/** Ids with this prefix on which a counting system grant of the record itself gives the type. */
export function recordsHeld(access: Access, type: SystemType, prefix: string): Set<string> {
  const ids = new Set<string>();
  for (const grantee of access.grantees)
    for (const grant of access.state.system_permissions.where('grantee', grantee))
      if (
        grant.resource_id.startsWith(prefix) &&
        grant.permission_types.includes(type) &&
        isCounting(grant, access.now)
      )
        ids.add(grant.resource_id);
  return ids;
}
