import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../kernel/permission-types.js';
import { listOf, oneOf, type Shown, text, view } from '../../kernel/view.js';
import { Access } from '../../access/access.js';
import type { Context } from '../../foundation/decision.js';
import { PUBLIC } from '../../kernel/ids.js';
import type { Refusal } from '../../kernel/refusal.js';
import type { CheckPermission } from '../commands.js';

/** The effective types of a grantee on a resource, groups and inheritance included. */
export const directoryPermissionCheckView = view('DirectoryPermissionCheck', {
  resource_id: text(),
  grantee_id: text(),
  permissions: listOf(oneOf(DIRECTORY_TYPES)),
});
export type DirectoryPermissionCheck = Shown<typeof directoryPermissionCheckView>;

export const systemPermissionCheckView = view('SystemPermissionCheck', {
  resource_id: text('TABLE_X or a record id'),
  grantee_id: text(),
  permissions: listOf(oneOf(SYSTEM_TYPES)),
});
export type SystemPermissionCheck = Shown<typeof systemPermissionCheckView>;

/**
 * A grantee's permissions on a folder or file. An unknown resource is answered like one without grants, so that the
 * answer does not reveal its existence.
 */
export function checkDirectoryPermission(
  context: Context,
  { resource_id, grantee_id }: CheckPermission,
): DirectoryPermissionCheck | Refusal {
  const caller = Access.of(context);
  if (!mayAskAbout(caller, grantee_id) && !caller.canDirectory('VIEW', resource_id))
    return caller.denied();
  const permissions = accessOf(context, grantee_id).directoryTypes(resource_id);
  return { resource_id, grantee_id, permissions };
}

/** A grantee's permissions on a table or record; `resource_id` in its stored form. */
export function checkSystemPermission(
  context: Context,
  { resource_id, grantee_id }: CheckPermission,
): SystemPermissionCheck | Refusal {
  const caller = Access.of(context);
  const may_ask =
    mayAskAbout(caller, grantee_id) ||
    caller.can('VIEW', resource_id) ||
    caller.can('VIEW', 'TABLE_PERMISSIONS');
  if (!may_ask) return caller.denied();
  const permissions = accessOf(context, grantee_id).systemTypes(resource_id);
  return { resource_id, grantee_id, permissions };
}

/** Regardless of the resource: the owner may query all, others themselves, everyone, and their groups. */
function mayAskAbout(caller: Access, grantee_id: string): boolean {
  return caller.is_owner || grantee_id === PUBLIC || caller.grantees.has(grantee_id);
}

function accessOf({ state, now }: Context, grantee_id: string): Access {
  return new Access(state, grantee_id, now);
}
