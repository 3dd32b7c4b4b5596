import { GRANT_SETTINGS } from '../relations/default-grant.js';
import type { Permission } from '../access/permission.js';
import { inOrder } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { filled, given, isEmpty } from '../kernel/fields.js';
import { type Refusal, refuse, refuseIdInUse } from '../kernel/refusal.js';
import type { CreateGrant, DeletePermission, RedeemPermission, UpdateGrant } from './commands.js';
import { granteeFields, refuseUnknownGrantee } from './rules/grantee.js';
import type { GrantKind } from './rules/kinds.js';
import { typesToCheck } from './rules/limits.js';
import { refuseRedeem } from './rules/redeem.js';
import { refuseWindow } from './rules/window.js';

/** Deciders of one kind of grants. */
export interface GrantDeciders<Type extends string> {
  readonly create: Decider<CreateGrant<Type>>;
  readonly update: Decider<UpdateGrant<Type>>;
  readonly remove: Decider<DeletePermission>;
  readonly redeem: Decider<RedeemPermission>;
}

export function grantDeciders<Type extends string>(kind: GrantKind<Type>): GrantDeciders<Type> {
  return {
    create: creation(kind),
    update: change(kind),
    remove: removal(kind),
    redeem: redemption(kind),
  };
}

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
    const no_window = refuseWindow(extent);
    if (no_window) return no_window;
    const access = Access.of(context);
    if (!kind.exists(access, extent.resource_id)) return refuse('resource-not-found');
    const allowed = kind.mayGrant(access, extent.resource_id);
    if (!allowed) return access.denied();
    const beyond =
      refuseUnknownGrantee(state, extent.granted_to) ??
      kind.refusePublic(access, extent) ??
      kind.refuseBeyond(access, extent, extent.permission_types);
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
      ...given(command, kind.updatable),
      ...(permission_types && { permission_types: inOrder(kind.types, permission_types) }),
      ...(granted_to !== undefined && fresh && granteeFields(granted_to, fresh)),
    };
    if (isEmpty(fields)) return refuse('nothing-to-update');
    const changed = { ...grant, ...fields };
    const beyond =
      refuseWindow(changed) ??
      refuseUnknownGrantee(state, changed.granted_to) ??
      kind.refusePublic(access, changed) ??
      kind.refuseBeyond(access, changed, typesToCheck(grant, changed));
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
    return accept(allowed, kind.deleted({ permission_id }));
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
    const grant = kind.table(context.state).get(permission_id);
    if (!grant) return refuse('permission-not-found');
    const refused = refuseRedeem(context, grant, command);
    if (refused) return refused;
    return accept(['CODE'], kind.redeemed({ permission_id, granted_to, note }));
  };
}
