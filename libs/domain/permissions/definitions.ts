import { GRANT_SETTINGS } from '../relations/default-grant.js';
import type { Permission } from '../access/permission.js';
import { inOrder } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import { decidedBy, namedCommands } from '../foundation/commands.js';
import { event } from '../foundation/events.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { bodyOf, changes, filled, isEmpty } from '../kernel/fields.js';
import { type Refusal, refuse, refuseIdInUse } from '../kernel/refusal.js';
import type { CreateGrant, DeletePermission, RedeemPermission, UpdateGrant } from './commands.js';
import { granteeFields, refuseUnknownGrantee } from './rules/grantee.js';
import { directoryGrants, type GrantKind, systemGrants } from './rules/kinds.js';
import { refuseBeyond, refusePublic, refuseTooManyGrants, typesToCheck } from './rules/limits.js';
import { refuseRedeem } from './rules/redeem.js';
import { refuseWindow } from './rules/window.js';
import { PREFIX } from '../kernel/ids.js';
import { presentDirectoryPermission, presentSystemPermission } from './reads.js';
import { type Shown, text, view } from '../kernel/view.js';

function creation<Type extends string>(kind: GrantKind<Type>): Decider<CreateGrant<Type>> {
  return (context, command) => {
    const { state, caller } = context;
    const { fresh } = command;
    const extent = {
      resource_id: command.resource_id,
      granted_to: command.granted_to ?? fresh.placeholder_id,
      permission_types: inOrder(kind.types, command.permission_types),
      inheritable: command.inheritable ?? kind.inheritable,
      ...filled(GRANT_SETTINGS, command),
    };
    const no_window = refuseWindow(extent, command);
    if (no_window) return no_window;
    const access = Access.of(context);
    if (!kind.exists(access, extent.resource_id)) return refuse('resource-not-found');
    const allowed = kind.mayGrant(access, extent.resource_id);
    if (!allowed) return access.denied();
    const beyond =
      refuseUnknownGrantee(state, extent.granted_to) ??
      refusePublic(kind, access, extent) ??
      refuseBeyond(kind, access, extent, extent.permission_types) ??
      refuseTooManyGrants(kind.table(state), extent, '/granted_to');
    if (beyond) return beyond;
    if (command.id && state.isUsed(kind.table(state), command.id)) return refuseIdInUse();
    return accept(
      allowed,
      kind.created({
        permission_id: command.id ?? fresh.permission_id,
        ...extent,
        ...granteeFields(extent.granted_to, fresh),
        granted_by: caller.user_id,
      }),
    );
  };
}

function change<Type extends string>(kind: GrantKind<Type>): Decider<UpdateGrant<Type>> {
  return (context, command) => {
    const { state } = context;
    const grant = kind.table(state).get(command.id);
    const access = Access.of(context);
    if (!grant) return refuse('permission-not-found');
    const allowed = kind.mayUpdate(access, grant);
    if (!allowed) return refuseChange(kind, access, grant);
    const { permission_types, granted_to, fresh } = command;
    const fields = {
      ...changes(GRANT_SETTINGS, command, ...kind.updatable),
      ...(permission_types && { permission_types: inOrder(kind.types, permission_types) }),
      ...(granted_to !== undefined && fresh && granteeFields(granted_to, fresh)),
    };
    if (isEmpty(fields)) return refuse('nothing-to-update');
    const changed = { ...grant, ...fields };
    const { resource_id } = changed;
    const is_same = resource_id === grant.resource_id && changed.granted_to === grant.granted_to;
    const beyond =
      refuseWindow(changed, command) ??
      refuseUnknownGrantee(state, changed.granted_to) ??
      refusePublic(kind, access, changed) ??
      refuseBeyond(kind, access, changed, typesToCheck(grant, changed)) ??
      (is_same ? null : refuseTooManyGrants(kind.table(state), changed, '/granted_to'));
    if (beyond) return beyond;
    return accept(allowed, kind.updated({ permission_id: grant.id, ...fields }));
  };
}

function removal<Type extends string>(kind: GrantKind<Type>): Decider<DeletePermission> {
  return (context, { permission_id }) => {
    const grant = kind.table(context.state).get(permission_id);
    const access = Access.of(context);
    if (!grant) return refuse('permission-not-found');
    const allowed = kind.mayDelete(access, grant);
    if (!allowed) return refuseChange(kind, access, grant);
    return accept(allowed, event(`${kind.name}PermissionDeleted`, { permission_id }));
  };
}

/** For callers who may neither change nor read a grant, it does not exist. */
function refuseChange<Type extends string>(
  kind: GrantKind<Type>,
  access: Access,
  grant: Permission<Type>,
): Refusal {
  // Before any other check.
  const denied = access.denied();
  return kind.mayRead(access, grant) ? denied : refuse('permission-not-found');
}

function redemption<Type extends string>(kind: GrantKind<Type>): Decider<RedeemPermission> {
  return (context, command) => {
    const { permission_id, user_id: granted_to, note = null } = command;
    const table = kind.table(context.state);
    const grant = table.get(permission_id);
    if (!grant) return refuse('permission-not-found');
    const { resource_id } = grant;
    const refused =
      refuseRedeem(context, grant, command) ??
      refuseTooManyGrants(table, { resource_id, granted_to }, '/user_id');
    if (refused) return refused;
    return accept(
      ['CODE'],
      event(`${kind.name}PermissionRedeemed`, { permission_id, granted_to, note }),
    );
  };
}

/** The record's own fields and the whole record again, since clients read both. */
type WithPermission<View> = View & { permission: View };

export const permissionDeletedView = view('PermissionDeleted', {
  deleted_id: text(),
});
export type PermissionDeleted = Shown<typeof permissionDeletedView>;

function grantCommands<Type extends string, View extends object>(
  kind: GrantKind<Type>,
  present: (context: Context, grant: Permission<Type>) => View,
) {
  const created = `${kind.name}PermissionCreated` as const;
  const answer = (context: Context, id: string): WithPermission<View> => {
    const permission = present(context, kind.table(context.state).get(id)!);
    return { ...permission, permission };
  };
  return {
    create: decidedBy<CreateGrant<Type>, WithPermission<View>>(creation(kind), {
      generate: (fresh) => ({
        permission_id: fresh.id(kind.prefix),
        placeholder_id: fresh.id(PREFIX.placeholder_grantee),
        ...fresh.code(),
      }),
      answer: (context, _, events) => answer(context, bodyOf(events, created)!.permission_id),
    }),
    update: decidedBy<UpdateGrant<Type>, WithPermission<View>>(change(kind), {
      generate: (fresh) => fresh.code(),
      answer: (context, { id }) => answer(context, id),
    }),
    remove: decidedBy<DeletePermission, PermissionDeleted>(removal(kind), {
      answer: (_, { permission_id }) => ({ deleted_id: permission_id }),
    }),
    redeem: decidedBy<RedeemPermission, WithPermission<View>>(redemption(kind), {
      answer: (context, { permission_id }) => answer(context, permission_id),
    }),
  };
}

const directory = grantCommands(directoryGrants, presentDirectoryPermission);
const system = grantCommands(systemGrants, presentSystemPermission);

export const permissionCommands = namedCommands({
  CreateDirectoryPermission: directory.create,
  UpdateDirectoryPermission: directory.update,
  DeleteDirectoryPermission: directory.remove,
  RedeemDirectoryPermission: directory.redeem,
  CreateSystemPermission: system.create,
  UpdateSystemPermission: system.update,
  DeleteSystemPermission: system.remove,
  RedeemSystemPermission: system.redeem,
});
