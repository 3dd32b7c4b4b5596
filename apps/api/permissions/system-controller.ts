import { Body, Get, Param, Post } from '@nestjs/common';
import {
  systemPermissionAnswerView,
  systemPermissionReads,
  systemPermissionView,
} from '../../../libs/domain/permissions/reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import {
  CheckSystemPermission,
  ListSystemPermissions,
  RedeemSystemPermission,
} from '../../../libs/application/permissions/permissions.js';
import { systemPermissionCheckView } from '../../../libs/domain/permissions/rules/check.js';
import {
  permissionCommands,
  permissionDeletedView,
} from '../../../libs/domain/permissions/definitions.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  CheckSystemPermissionBody,
  CreateSystemPermissionBody,
  DeleteSystemPermissionBody,
  ListSystemPermissionsBody,
  RedeemSystemPermissionBody,
  UpdateSystemPermissionBody,
} from './system-bodies.js';
import { permissionToDelete } from './permission-fields.js';

const getSystemPermission = getQuery('GetSystemPermission', systemPermissionReads);

const createSystemPermission = driveCommand(permissionCommands.CreateSystemPermission);
const updateSystemPermission = driveCommand(permissionCommands.UpdateSystemPermission);
const deleteSystemPermission = driveCommand(permissionCommands.DeleteSystemPermission);

@DriveController('permissions/system', 'system permissions')
export class SystemPermissionsController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:system_permission_id'), systemPermissionView, {
    id: 'getSystemPermission',
    summary: 'Read a grant on a table or record',
    description: 'The response is 404 also for callers who may not read the grant.',
    errors: ['permission.not-found'],
  })
  get(
    @Call() call: DriveRequest,
    @Param('system_permission_id', new IdPipe('SystemPermissionID_')) id: string,
  ) {
    return this.api.query(call, getSystemPermission, { id });
  }

  @ReadRoute(Post('list'), page(systemPermissionView), {
    id: 'listSystemPermissions',
    summary: 'List the grants on tables and records that the caller may read',
    description: PAGES,
  })
  list(@Call() call: DriveRequest, @Body() body: ListSystemPermissionsBody) {
    return this.api.query(call, ListSystemPermissions, body);
  }

  @CommandRoute('create', systemPermissionAnswerView, {
    id: 'createSystemPermission',
    summary: 'Grant permissions on a table or record',
    description:
      'Except for the owner, callers can grant only types that they hold, within the same period.',
    errors: [
      'permission.denied',
      'permission.ceiling',
      'permission.public-too-wide',
      'permission.too-many',
      'group.not-found',
      'request.id-in-use',
    ],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateSystemPermissionBody) {
    return this.api.run(call, createSystemPermission, body);
  }

  @CommandRoute('update', systemPermissionAnswerView, {
    id: 'updateSystemPermission',
    summary: 'Update a grant on a table or record',
    errors: [
      'permission.not-found',
      'permission.denied',
      'permission.ceiling',
      'permission.public-too-wide',
      'permission.too-many',
      'group.not-found',
      'request.nothing-to-update',
    ],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateSystemPermissionBody) {
    return this.api.run(call, updateSystemPermission, body);
  }

  @CommandRoute('delete', permissionDeletedView, {
    id: 'deleteSystemPermission',
    summary: 'Revoke a grant on a table or record',
    errors: ['permission.not-found', 'permission.denied'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteSystemPermissionBody) {
    return this.api.run(call, deleteSystemPermission, permissionToDelete(body));
  }

  @ReadRoute(Post('check'), systemPermissionCheckView, {
    id: 'checkSystemPermissions',
    summary: 'Check the effective permissions of a grantee on a table or record',
    description: 'A grant on a table applies to all its records.',
    errors: ['permission.denied'],
  })
  check(@Call() call: DriveRequest, @Body() body: CheckSystemPermissionBody) {
    return this.api.query(call, CheckSystemPermission, body);
  }

  @CommandRoute('redeem', systemPermissionAnswerView, {
    id: 'redeemSystemPermission',
    summary: 'Redeem a grant for a user with its code',
    description: 'The user may differ from the caller.',
    errors: [
      'permission.not-found',
      'redeem.code-invalid',
      'redeem.not-redeemable',
      'permission.too-many',
      'user.former-id',
    ],
  })
  redeem(@Call() call: DriveRequest, @Body() body: RedeemSystemPermissionBody) {
    return this.api.run(call, RedeemSystemPermission, body);
  }
}
