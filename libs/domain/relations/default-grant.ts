import type { Permission } from '../access/permission.js';

/** A grant for ever that the service makes with what it is on. */
export function defaultGrant<Type extends string>(
  id: string,
  resource_id: string,
  granted_to: string,
  granted_by: string,
  permission_types: readonly Type[],
  inheritable: boolean,
  at_ms: number,
): Permission<Type> {
  return {
    id,
    resource_id,
    granted_to,
    granted_by,
    permission_types,
    begin_date_ms: 0,
    expiry_date_ms: -1,
    inheritable,
    note: '',
    metadata: null,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_grantee: null,
    external_id: null,
    external_payload: null,
    created_at: at_ms,
    last_modified_at: at_ms,
  };
}
