import type { Permission } from '../access/permission.js';
import type { Access } from '../access/access.js';
import { outsideWindow } from '../access/grants.js';
import { directoryLine, systemReach } from '../access/resources.js';
import { PREFIX } from '../kernel/ids.js';
import { type Because, becauseOf, type ShowPath } from './because.js';
import { isDirectoryId, PERMISSION_TYPES, type PermissionType, typesHeld } from './held.js';
import { integer, listOf, oneOf, type Shown, text, view } from '../kernel/view.js';

/** Reasons why a grant that could apply to a resource gives the grantee nothing there. */
export const DENIALS = [
  'NOT_BEGUN',
  'EXPIRED',
  'NOT_INHERITABLE',
  'SOVEREIGN_FOLDER',
  'NOT_REDEEMED',
  'NOT_A_MEMBER',
] as const;
type Denial = (typeof DENIALS)[number];

export const deniedGrantView = view('DeniedGrant', {
  permission_id: text(),
  granted_by: text(),
  granted_to: text(),
  resource_id: text('Resource of the grant'),
  permission_types: listOf(oneOf<string>(PERMISSION_TYPES)),
  begin_date_ms: integer(),
  expiry_date_ms: integer(),
  reason: oneOf(DENIALS, 'The first applicable reason, in this order'),
});
export type DeniedGrant = Shown<typeof deniedGrantView>;

export interface Explanation {
  /** Effective types, as `check` answers them. */
  readonly permissions: readonly PermissionType[];
  readonly because: Because;
  /** At most 1,000, the resource's own first. */
  readonly denied: readonly DeniedGrant[];
}

const MOST_DENIED = 1000;

/** Limits an explanation to the part that the caller may see. */
export interface ExplainOptions {
  readonly path: ShowPath;
  /** True if an inapplicable grant may be shown. */
  readonly denied: (grant: Permission) => boolean;
}

/** An identity's permissions on a resource, with reasons. */
export function explain(access: Access, resource_id: string, options: ExplainOptions): Explanation {
  const denied: DeniedGrant[] = [];
  for (const [grant, reason] of grantsInVain(access, resource_id)) {
    if (denied.length === MOST_DENIED) break;
    if (!options.denied(grant)) continue;
    denied.push({
      permission_id: grant.id,
      granted_by: grant.granted_by,
      granted_to: grant.granted_to,
      resource_id: grant.resource_id,
      permission_types: grant.permission_types,
      begin_date_ms: grant.begin_date_ms,
      expiry_date_ms: grant.expiry_date_ms,
      reason,
    });
  }
  const permissions = typesHeld(access, resource_id);
  return { permissions, because: becauseOf(access, resource_id, options.path), denied };
}

/** Inapplicable grants of the identity on the resource, its table or its ancestors. */
function* grantsInVain(
  access: Access,
  resource_id: string,
): Generator<readonly [Permission, Denial]> {
  const { state, now } = access;
  if (isDirectoryId(resource_id)) {
    const { ids, reaching } = directoryLine(state, resource_id, now);
    for (const [at, placed_on] of ids.entries())
      for (const grant of state.directory_permissions.where('resource', placed_on)) {
        const barred = at === 0 ? null : barredInheritance(grant, at < reaching);
        const reason = outsideWindow(grant, now) ?? barred ?? notAGrantee(access, grant);
        if (reason && concerns(access, grant)) yield [grant, reason];
      }
    return;
  }
  for (const placed_on of systemReach(state, resource_id).toReversed())
    for (const grant of state.system_permissions.where('resource', placed_on)) {
      const reason = outsideWindow(grant, now) ?? notAGrantee(access, grant);
      if (reason && concerns(access, grant)) yield [grant, reason];
    }
}

function barredInheritance({ inheritable }: Permission, reaches: boolean): Denial | null {
  if (!inheritable) return 'NOT_INHERITABLE';
  return reaches ? null : 'SOVEREIGN_FOLDER';
}

function notAGrantee(access: Access, { granted_to }: Permission): Denial | null {
  if (access.grantees.has(granted_to)) return null;
  return granted_to.startsWith(PREFIX.placeholder_grantee) ? 'NOT_REDEEMED' : 'NOT_A_MEMBER';
}

/** Grants to other users are confidential; only users join groups and redeem codes. */
function concerns(access: Access, { granted_to }: Permission): boolean {
  if (access.grantees.has(granted_to)) return true;
  const could_be =
    granted_to.startsWith(PREFIX.group) || granted_to.startsWith(PREFIX.placeholder_grantee);
  return could_be && access.grantee_id.startsWith(PREFIX.user);
}
