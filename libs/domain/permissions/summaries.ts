import type { Permission } from '../access/permission.js';
import type { Summaries, SummaryContext } from '../foundation/summary-context.js';
import type { PermissionEvents } from './events.js';

/** The names of a grant's grantee and resource. */
function partsOf(
  { name, record }: SummaryContext,
  permission_id: string,
): { who: string; what: string } {
  const grant = record<Permission>(permission_id);
  if (!grant) return { who: permission_id, what: 'something' };
  return { who: name(grant.granted_to), what: name(grant.resource_id) };
}

interface Created {
  readonly granted_to: string;
  readonly resource_id: string;
  readonly permission_types: readonly string[];
}

interface Changed {
  readonly permission_id: string;
}

const created = ({ actor, name }: SummaryContext, data: Created): string =>
  `${actor} granted ${name(data.granted_to)} ${data.permission_types.join(', ')} on ${name(data.resource_id)}`;

function updated(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${context.actor} changed the grant for ${who} on ${what}`;
}

function deleted(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${context.actor} revoked the grant for ${who} on ${what}`;
}

function redeemed(context: SummaryContext, { permission_id }: Changed): string {
  const { who, what } = partsOf(context, permission_id);
  return `${who} got a grant on ${what} with a code`;
}

export const permissionSummaries: Summaries<PermissionEvents> = {
  DirectoryPermissionCreated: created,
  DirectoryPermissionUpdated: updated,
  DirectoryPermissionDeleted: deleted,
  DirectoryPermissionRedeemed: redeemed,
  SystemPermissionCreated: created,
  SystemPermissionUpdated: updated,
  SystemPermissionDeleted: deleted,
  SystemPermissionRedeemed: redeemed,
};
