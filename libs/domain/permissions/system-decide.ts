import { Access } from '../access/access.js';
import { accept, type Decider } from '../drive/decision.js';
import { event } from '../drive/events.js';
import { given, isEmpty } from '../kernel/fields.js';
import { refuse, refuseIdInUse } from '../kernel/refusal.js';
import type {
  CreateSystemPermission,
  DeletePermission,
  RedeemPermission,
  UpdateSystemPermission,
} from './commands.js';
import { granteeFields, refuseUnknownGrantee } from './grantee.js';
import { refuseBeyondSystem, refusePublicSystem, typesToCheck } from './limits.js';
import { inOrder, SYSTEM_TYPES } from './record.js';
import { refuseRedeem } from './redeem.js';
import {
  mayDeleteSystemGrant,
  mayGrantSystem,
  mayReadSystemGrant,
  mayUpdateSystemGrant,
} from './rights.js';
import { refuseWindow } from './window.js';

const UPDATABLE = [
  'resource_id',
  'begin_date_ms',
  'expiry_date_ms',
  'inheritable',
  'note',
  'metadata',
  'external_id',
  'external_payload',
] as const;

export const createSystemPermission: Decider<CreateSystemPermission> = (context, command) => {
  const { state, caller } = context;
  const { fresh } = command;
  const extent = {
    resource_id: command.resource_id,
    granted_to: command.granted_to ?? fresh.placeholder_id,
    permission_types: inOrder(SYSTEM_TYPES, command.permission_types),
    begin_date_ms: command.begin_date_ms ?? 0,
    expiry_date_ms: command.expiry_date_ms ?? -1,
    inheritable: command.inheritable ?? true,
  };
  const no_window = refuseWindow(extent);
  if (no_window) return no_window;
  const access = Access.of(context);
  const allowed = mayGrantSystem(access, extent.resource_id);
  if (!allowed) return refuse('forbidden');
  const beyond =
    refuseUnknownGrantee(state, extent.granted_to) ??
    refusePublicSystem(access, extent) ??
    refuseBeyondSystem(access, extent, extent.permission_types);
  if (beyond) return beyond;
  if (command.id && state.isUsed(state.system_permissions, command.id)) return refuseIdInUse();
  return accept(
    allowed,
    event('SystemPermissionCreated', {
      permission_id: command.id ?? fresh.permission_id,
      ...extent,
      ...granteeFields(extent.granted_to, fresh),
      granted_by: caller.user_id,
      note: command.note ?? '',
      metadata: command.metadata ?? null,
      external_id: command.external_id ?? null,
      external_payload: command.external_payload ?? null,
    }),
  );
};

export const updateSystemPermission: Decider<UpdateSystemPermission> = (context, command) => {
  const { state } = context;
  const grant = state.system_permissions.get(command.id);
  const access = Access.of(context);
  if (!grant || !mayReadSystemGrant(access, grant)) return refuse('permission-not-found');
  const allowed = mayUpdateSystemGrant(access, grant);
  if (!allowed) return refuse('forbidden');
  const { permission_types, granted_to, fresh } = command;
  const fields = {
    ...given(command, UPDATABLE),
    ...(permission_types && { permission_types: inOrder(SYSTEM_TYPES, permission_types) }),
    ...(granted_to !== undefined && granteeFields(granted_to, fresh)),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  const changed = { ...grant, ...fields };
  const beyond =
    refuseWindow(changed) ??
    refuseUnknownGrantee(state, changed.granted_to) ??
    refusePublicSystem(access, changed) ??
    refuseBeyondSystem(access, changed, typesToCheck(grant, changed));
  if (beyond) return beyond;
  return accept(allowed, event('SystemPermissionUpdated', { permission_id: grant.id, ...fields }));
};

export const deleteSystemPermission: Decider<DeletePermission> = (context, command) => {
  const grant = context.state.system_permissions.get(command.permission_id);
  const access = Access.of(context);
  if (!grant || !mayReadSystemGrant(access, grant)) return refuse('permission-not-found');
  const allowed = mayDeleteSystemGrant(access, grant);
  if (!allowed) return refuse('forbidden');
  return accept(allowed, event('SystemPermissionDeleted', { permission_id: grant.id }));
};

export const redeemSystemPermission: Decider<RedeemPermission> = (context, command) => {
  const grant = context.state.system_permissions.get(command.permission_id);
  if (!grant) return refuse('permission-not-found');
  const refused = refuseRedeem(context, grant, command);
  if (refused) return refused;
  return accept(
    ['CODE'],
    event('SystemPermissionRedeemed', {
      permission_id: grant.id,
      granted_to: command.user_id,
      note: command.note ?? null,
    }),
  );
};
