import type { CommandDefinition, Context } from '../drive/decision.js';
import { bodyOf } from '../kernel/fields.js';
import type {
  CreateDirectoryPermission,
  CreateSystemPermission,
  DeletePermission,
  RedeemPermission,
  UpdateDirectoryPermission,
  UpdateSystemPermission,
} from './commands.js';
import {
  createDirectoryPermission,
  deleteDirectoryPermission,
  redeemDirectoryPermission,
  updateDirectoryPermission,
} from './directory-decide.js';
import {
  createSystemPermission,
  deleteSystemPermission,
  redeemSystemPermission,
  updateSystemPermission,
} from './system-decide.js';
import {
  type DirectoryPermissionView,
  presentDirectoryPermission,
  presentSystemPermission,
  type SystemPermissionView,
} from './view.js';

/** The record's own fields and the whole record once more, since clients read it either way. */
export type WithPermission<View> = View & { permission: View };

/** What deletions answer. */
export interface PermissionDeleted {
  deleted_id: string;
}

function directoryAnswer(context: Context, id: string): WithPermission<DirectoryPermissionView> {
  const grant = context.state.directory_permissions.get(id)!;
  const permission = presentDirectoryPermission(context, grant);
  return { ...permission, permission };
}

function systemAnswer(context: Context, id: string): WithPermission<SystemPermissionView> {
  const grant = context.state.system_permissions.get(id)!;
  const permission = presentSystemPermission(context, grant);
  return { ...permission, permission };
}

export const permissionCommands = {
  CreateDirectoryPermission: {
    name: 'CreateDirectoryPermission',
    decide: createDirectoryPermission,
    answer: (context, _, events) =>
      directoryAnswer(context, bodyOf(events, 'DirectoryPermissionCreated')!.permission_id),
  } satisfies CommandDefinition<CreateDirectoryPermission, WithPermission<DirectoryPermissionView>>,

  UpdateDirectoryPermission: {
    name: 'UpdateDirectoryPermission',
    decide: updateDirectoryPermission,
    answer: (context, { id }) => directoryAnswer(context, id),
  } satisfies CommandDefinition<UpdateDirectoryPermission, WithPermission<DirectoryPermissionView>>,

  DeleteDirectoryPermission: {
    name: 'DeleteDirectoryPermission',
    decide: deleteDirectoryPermission,
    answer: (_, { permission_id }) => ({ deleted_id: permission_id }),
  } satisfies CommandDefinition<DeletePermission, PermissionDeleted>,

  RedeemDirectoryPermission: {
    name: 'RedeemDirectoryPermission',
    decide: redeemDirectoryPermission,
    answer: (context, { permission_id }) => directoryAnswer(context, permission_id),
  } satisfies CommandDefinition<RedeemPermission, WithPermission<DirectoryPermissionView>>,

  CreateSystemPermission: {
    name: 'CreateSystemPermission',
    decide: createSystemPermission,
    answer: (context, _, events) =>
      systemAnswer(context, bodyOf(events, 'SystemPermissionCreated')!.permission_id),
  } satisfies CommandDefinition<CreateSystemPermission, WithPermission<SystemPermissionView>>,

  UpdateSystemPermission: {
    name: 'UpdateSystemPermission',
    decide: updateSystemPermission,
    answer: (context, { id }) => systemAnswer(context, id),
  } satisfies CommandDefinition<UpdateSystemPermission, WithPermission<SystemPermissionView>>,

  DeleteSystemPermission: {
    name: 'DeleteSystemPermission',
    decide: deleteSystemPermission,
    answer: (_, { permission_id }) => ({ deleted_id: permission_id }),
  } satisfies CommandDefinition<DeletePermission, PermissionDeleted>,

  RedeemSystemPermission: {
    name: 'RedeemSystemPermission',
    decide: redeemSystemPermission,
    answer: (context, { permission_id }) => systemAnswer(context, permission_id),
  } satisfies CommandDefinition<RedeemPermission, WithPermission<SystemPermissionView>>,
};
