import { Body, Get, Param, Post } from '@nestjs/common';
import {
  directoryPermissionAnswerView,
  directoryPermissionReads,
  directoryPermissionView,
} from '../../../libs/domain/permissions/reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import {
  CheckDirectoryPermission,
  ListDirectoryPermissions,
  RedeemDirectoryPermission,
} from '../../../libs/application/permissions/permissions.js';
import { directoryPermissionCheckView } from '../../../libs/domain/permissions/rules/check.js';
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
  CheckDirectoryPermissionBody,
  CreateDirectoryPermissionBody,
  DeleteDirectoryPermissionBody,
  ListDirectoryPermissionsBody,
  RedeemDirectoryPermissionBody,
  UpdateDirectoryPermissionBody,
} from './directory-bodies.js';
import { permissionToDelete } from './permission-fields.js';

const getDirectoryPermission = getQuery('GetDirectoryPermission', directoryPermissionReads);

const createDirectoryPermission = driveCommand(permissionCommands.CreateDirectoryPermission);
const updateDirectoryPermission = driveCommand(permissionCommands.UpdateDirectoryPermission);
const deleteDirectoryPermission = driveCommand(permissionCommands.DeleteDirectoryPermission);

@DriveController('permissions/directory', 'directory permissions')
export class DirectoryPermissionsController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:directory_permission_id'), directoryPermissionView, {
    id: 'getDirectoryPermission',
    summary: 'Read a grant on a folder or file',
    description: 'The response is 404 also for callers who may not read the grant.',
    errors: ['permission.not-found'],
  })
  get(
    @Call() call: DriveRequest,
    @Param('directory_permission_id', new IdPipe('DirectoryPermissionID_')) id: string,
  ) {
    return this.api.query(call, getDirectoryPermission, { id });
  }

  @ReadRoute(Post('list'), page(directoryPermissionView), {
    id: 'listDirectoryPermissions',
    summary: 'List the grants on a folder or file',
    description: PAGES,
    errors: ['permission.denied', 'resource.not-found'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListDirectoryPermissionsBody) {
    const { filters, ...rest } = body;
    return this.api.query(call, ListDirectoryPermissions, { ...rest, ...filters });
  }

  @CommandRoute('create', directoryPermissionAnswerView, {
    id: 'createDirectoryPermission',
    summary: 'Grant permissions on a folder or file',
    description:
      'Except for the owner, callers can grant only types that they hold, within the same period and ' +
      'inheritance. Without granted_to, a placeholder with a redeem code is created.',
    errors: [
      'permission.denied',
      'permission.ceiling',
      'permission.public-too-wide',
      'permission.too-many',
      'resource.not-found',
      'group.not-found',
      'request.id-in-use',
    ],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateDirectoryPermissionBody) {
    return this.api.run(call, createDirectoryPermission, body);
  }

  @CommandRoute('update', directoryPermissionAnswerView, {
    id: 'updateDirectoryPermission',
    summary: 'Update a grant on a folder or file',
    errors: [
      'permission.not-found',
      'permission.denied',
      'request.nothing-to-update',
      'permission.ceiling',
      'permission.public-too-wide',
      'permission.too-many',
    ],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateDirectoryPermissionBody) {
    return this.api.run(call, updateDirectoryPermission, body);
  }

  @CommandRoute('delete', permissionDeletedView, {
    id: 'deleteDirectoryPermission',
    summary: 'Revoke a grant on a folder or file',
    errors: ['permission.not-found', 'permission.denied'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteDirectoryPermissionBody) {
    return this.api.run(call, deleteDirectoryPermission, permissionToDelete(body));
  }

  @ReadRoute(Post('check'), directoryPermissionCheckView, {
    id: 'checkDirectoryPermissions',
    summary: 'Check the effective permissions of a grantee on a folder or file',
    description:
      'Includes inherited permissions and those of groups. An unknown resource is treated like one without ' +
      'grants.',
    errors: ['permission.denied'],
  })
  check(@Call() call: DriveRequest, @Body() body: CheckDirectoryPermissionBody) {
    return this.api.query(call, CheckDirectoryPermission, body);
  }

  @CommandRoute('redeem', directoryPermissionAnswerView, {
    id: 'redeemDirectoryPermission',
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
  redeem(@Call() call: DriveRequest, @Body() body: RedeemDirectoryPermissionBody) {
    return this.api.run(call, RedeemDirectoryPermission, body);
  }
}
