import { Access } from '../access/access.js';
import { accept, type Decider } from '../drive/decision.js';
import { event } from '../drive/events.js';
import { given } from '../kernel/fields.js';
import { refuse, refuseIdInUse } from '../kernel/refusal.js';
import type {
  CreateDirectoryPermission,
  DeletePermission,
  RedeemPermission,
  UpdateDirectoryPermission,
} from './commands.js';
import { granteeFields, refuseUnknownGrantee } from './grantee.js';
import { refuseBeyondDirectory, refusePublicDirectory, typesToCheck } from './limits.js';
import { DIRECTORY_TYPES, inOrder } from './record.js';
import { refuseRedeem } from './redeem.js';
import {
  mayDeleteDirectoryGrant,
  mayGrantDirectory,
  mayReadDirectoryGrant,
  mayUpdateDirectoryGrant,
} from './rights.js';
import { refuseWindow } from './window.js';

const UPDATABLE = [
  'begin_date_ms',
  'expiry_date_ms',
  'inheritable',
  'note',
  'metadata',
  'external_id',
  'external_payload',
] as const;

export const createDirectoryPermission: Decider<CreateDirectoryPermission> = (context, command) => {
  const { state, caller } = context;
  const { fresh } = command;
  const extent = {
    resource_id: command.resource_id,
    granted_to: command.granted_to ?? fresh.placeholder_id,
    permission_types: inOrder(DIRECTORY_TYPES, command.permission_types),
    begin_date_ms: command.begin_date_ms ?? 0,
    expiry_date_ms: command.expiry_date_ms ?? -1,
    inheritable: command.inheritable ?? false,
  };
  const no_window = refuseWindow(extent);
  if (no_window) return no_window;
  const access = Access.of(context);
  if (!access.exists(extent.resource_id)) return refuse('resource-not-found');
  const allowed = mayGrantDirectory(access, extent.resource_id);
  if (!allowed) return refuse('forbidden');
  const beyond =
    refuseUnknownGrantee(state, extent.granted_to) ??
    refusePublicDirectory(access, extent) ??
    refuseBeyondDirectory(access, extent, extent.permission_types);
  if (beyond) return beyond;
  if (command.id && state.isUsed(state.directory_permissions, command.id)) return refuseIdInUse();
  return accept(
    allowed,
    event('DirectoryPermissionCreated', {
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

export const updateDirectoryPermission: Decider<UpdateDirectoryPermission> = (context, command) => {
  const grant = context.state.directory_permissions.get(command.id);
  const access = Access.of(context);
  if (!grant || !mayReadDirectoryGrant(access, grant)) return refuse('permission-not-found');
  const allowed = mayUpdateDirectoryGrant(access, grant);
  if (!allowed) return refuse('forbidden');
  const fields = {
    permission_types: inOrder(DIRECTORY_TYPES, command.permission_types),
    ...given(command, UPDATABLE),
  };
  const changed = { ...grant, ...fields };
  const beyond =
    refuseWindow(changed) ??
    refusePublicDirectory(access, changed) ??
    refuseBeyondDirectory(access, changed, typesToCheck(grant, changed));
  if (beyond) return beyond;
  return accept(
    allowed,
    event('DirectoryPermissionUpdated', { permission_id: grant.id, ...fields }),
  );
};

export const deleteDirectoryPermission: Decider<DeletePermission> = (context, command) => {
  const grant = context.state.directory_permissions.get(command.permission_id);
  const access = Access.of(context);
  if (!grant || !mayReadDirectoryGrant(access, grant)) return refuse('permission-not-found');
  const allowed = mayDeleteDirectoryGrant(access, grant);
  if (!allowed) return refuse('forbidden');
  return accept(allowed, event('DirectoryPermissionDeleted', { permission_id: grant.id }));
};

export const redeemDirectoryPermission: Decider<RedeemPermission> = (context, command) => {
  const grant = context.state.directory_permissions.get(command.permission_id);
  if (!grant) return refuse('permission-not-found');
  const refused = refuseRedeem(context, grant, command);
  if (refused) return refused;
  return accept(
    ['CODE'],
    event('DirectoryPermissionRedeemed', {
      permission_id: grant.id,
      granted_to: command.user_id,
      note: command.note ?? null,
    }),
  );
};
