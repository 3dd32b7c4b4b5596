import type { Permission } from '../access/permission.js';

/** Default settings of a new grant: it is active at once and never ends. */
export const GRANT_SETTINGS = {
  begin_date_ms: 0,
  expiry_date_ms: -1,
  note: '',
  metadata: null as object | null,
  external_id: null as string | null,
  external_payload: null as string | null,
};

/** Fields of a grant without a code. */
export const GRANT_DEFAULTS = {
  ...GRANT_SETTINGS,
  redeem_code: null,
  redeem_digest: '',
  from_placeholder_grantee: null,
};

/** A permanent grant that the service creates together with its resource. */
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
    ...{ id, resource_id, granted_to, granted_by, permission_types, inheritable },
    ...GRANT_DEFAULTS,
    ...{ created_at: at_ms, last_modified_at: at_ms },
  };
}
