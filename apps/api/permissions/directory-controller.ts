import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CheckDirectoryPermission,
  CreateDirectoryPermission,
  DeleteDirectoryPermission,
  GetDirectoryPermission,
  ListDirectoryPermissions,
  RedeemDirectoryPermission,
  UpdateDirectoryPermission,
} from '../../../libs/application/permissions/directory.js';
import { cleared } from '../cleared.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { operation } from '../drive/operation.js';
import { ApiData, ApiErrors } from '../platform/openapi/openapi-decorators.js';
import { IdPipe } from '../platform/requests/validation.js';
import {
  CheckDirectoryPermissionBody,
  CreateDirectoryPermissionBody,
  DeleteDirectoryPermissionBody,
  ListDirectoryPermissionsBody,
  RedeemDirectoryPermissionBody,
  UpdateDirectoryPermissionBody,
} from './directory-bodies.js';
import { permissionToDelete } from './permission-fields.js';
import {
  DirectoryPermissionAnswer,
  DirectoryPermissionCheckRecord,
  DirectoryPermissionRecord,
  PermissionDeletedRecord,
} from './permission-records.js';

const createDirectoryPermission = operation(
  'permissions/directory/create',
  CreateDirectoryPermissionBody,
  CreateDirectoryPermission,
);
const updateDirectoryPermission = operation(
  'permissions/directory/update',
  UpdateDirectoryPermissionBody,
  UpdateDirectoryPermission,
  (body) => cleared(body, 'note'),
);
const deleteDirectoryPermission = operation(
  'permissions/directory/delete',
  DeleteDirectoryPermissionBody,
  DeleteDirectoryPermission,
  permissionToDelete,
);
const redeemDirectoryPermission = operation(
  'permissions/directory/redeem',
  RedeemDirectoryPermissionBody,
  RedeemDirectoryPermission,
);

@ApiTags('directory permissions')
@Controller('v1/drive/:organization_id/permissions/directory')
@UseGuards(DriveGuard)
export class DirectoryPermissionsController {
  constructor(private readonly api: DriveApi) {}

  /** One permission; 404 also for those who may not read it. */
  @Get('get/:directory_permission_id')
  @AsOf()
  @ApiData(DirectoryPermissionRecord)
  @ApiErrors('permission.not-found')
  get(
    @Call() call: DriveRequest,
    @Param('directory_permission_id', new IdPipe('DirectoryPermissionID_')) id: string,
  ) {
    return this.api.ask(call, GetDirectoryPermission, { id });
  }

  /** The permissions placed directly on one folder or file. */
  @Post('list')
  @AsOf()
  @ApiData({ list: DirectoryPermissionRecord })
  @ApiErrors('permission.denied', 'resource.not-found')
  list(@Call() call: DriveRequest, @Body() body: ListDirectoryPermissionsBody) {
    const { filters, ...page } = body;
    return this.api.ask(call, ListDirectoryPermissions, { ...page, ...filters });
  }

  @Post('create')
  @ApiData(DirectoryPermissionAnswer)
  @ApiErrors(
    'permission.denied',
    'permission.ceiling',
    'permission.public-too-wide',
    'resource.not-found',
    'group.not-found',
    'request.id-in-use',
  )
  create(@Call() call: DriveRequest, @Body() body: CreateDirectoryPermissionBody) {
    return this.api.run(call, createDirectoryPermission, body);
  }

  @Post('update')
  @ApiData(DirectoryPermissionAnswer)
  @ApiErrors(
    'permission.not-found',
    'permission.denied',
    'request.nothing-to-update',
    'permission.ceiling',
    'permission.public-too-wide',
  )
  update(@Call() call: DriveRequest, @Body() body: UpdateDirectoryPermissionBody) {
    return this.api.run(call, updateDirectoryPermission, body);
  }

  @Post('delete')
  @ApiData(PermissionDeletedRecord)
  @ApiErrors('permission.not-found', 'permission.denied')
  delete(@Call() call: DriveRequest, @Body() body: DeleteDirectoryPermissionBody) {
    return this.api.run(call, deleteDirectoryPermission, body);
  }

  /** The effective types of a grantee on a resource. */
  @Post('check')
  @AsOf()
  @ApiData(DirectoryPermissionCheckRecord)
  @ApiErrors('permission.denied')
  check(@Call() call: DriveRequest, @Body() body: CheckDirectoryPermissionBody) {
    return this.api.ask(call, CheckDirectoryPermission, body);
  }

  /** Gives a placeholder's permission to a user, with its code. */
  @Post('redeem')
  @ApiData(DirectoryPermissionAnswer)
  @ApiErrors(
    'permission.not-found',
    'redeem.code-invalid',
    'redeem.not-redeemable',
    'user.former-id',
  )
  redeem(@Call() call: DriveRequest, @Body() body: RedeemDirectoryPermissionBody) {
    return this.api.run(call, redeemDirectoryPermission, body);
  }
}
