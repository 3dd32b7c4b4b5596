import type { DirectoryType, SystemType } from '../../kernel/permission-types.js';
import { GRANT_SETTINGS } from '../../relations/default-grant.js';
import { event, type DomainEvent } from '../../foundation/events.js';

/** Default fields of a grant: permanent, inheritable, without a code. */
export const FOR_EVER = {
  ...GRANT_SETTINGS,
  inheritable: true,
  redeem_code: null,
  redeem_digest: '',
} as const;

/** A directory grant that is always active. */
export function directoryGranted(
  permission_id: string,
  resource_id: string,
  granted_to: string,
  granted_by: string,
  ...permission_types: DirectoryType[]
): DomainEvent {
  const what = { permission_id, resource_id, granted_to, granted_by, permission_types };
  return event('DirectoryPermissionCreated', { ...what, ...FOR_EVER });
}

/** A system grant that is always active. */
export function systemGranted(
  permission_id: string,
  resource_id: string,
  granted_to: string,
  granted_by: string,
  ...permission_types: SystemType[]
): DomainEvent {
  const what = { permission_id, resource_id, granted_to, granted_by, permission_types };
  return event('SystemPermissionCreated', { ...what, ...FOR_EVER });
}
