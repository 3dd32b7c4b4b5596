import type { Context } from '../foundation/decision.js';
import { userAvatar, userName } from '../relations/people.js';
import { PREFIX, PUBLIC } from '../kernel/ids.js';

/** Name of a grantee: user, group, placeholder or everyone. */
export function granteeName(context: Context, granted_to: string): string {
  if (granted_to === PUBLIC) return PUBLIC;
  if (granted_to.startsWith(PREFIX.placeholder_grantee)) return 'Awaiting Anon';
  if (!granted_to.startsWith(PREFIX.group)) return userName(context, granted_to);
  return context.state.groups.get(granted_to)?.name ?? `Unknown Group (${granted_to})`;
}

/** Avatar of a user or group; null for others and without one. */
export function granteeAvatar(context: Context, granted_to: string): string {
  if (!granted_to.startsWith(PREFIX.group)) return userAvatar(context, granted_to) ?? '';
  return context.state.groups.get(granted_to)?.avatar ?? '';
}

export function granterName(context: Context, granted_by: string): string {
  const is_contact = context.state.contacts.has(granted_by);
  return is_contact ? userName(context, granted_by) : `Granter: ${granted_by}`;
}
