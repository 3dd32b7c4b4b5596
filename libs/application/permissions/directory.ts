import {
  checkDirectoryPermission,
  type DirectoryPermissionCheck,
} from '../../domain/permissions/rules/check.js';
import type {
  CheckPermission,
  CreateDirectoryPermission as CreateCommand,
  DeletePermission,
  UpdateDirectoryPermission as UpdateCommand,
} from '../../domain/permissions/commands.js';
import {
  permissionCommands,
  type PermissionDeleted,
  type WithPermission,
} from '../../domain/permissions/definitions.js';
import {
  directoryPermissionReads,
  grantsOnResource,
  resourceGrantReads,
} from '../../domain/permissions/reads.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type { DirectoryPermissionView } from '../../domain/permissions/view.js';
import type { PageInput } from '../cursor.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { type ListPage, listRecords } from '../list-records.js';
import { answerFrom, readRecord } from '../read-record.js';
import { freshGrant, redemption, type RedeemInput } from './inputs.js';

type Answer = WithPermission<DirectoryPermissionView>;

export interface ListDirectoryInput extends PageInput {
  readonly resource_id: string;
}

export class CreateDirectoryPermission extends DriveCommand<Omit<CreateCommand, 'fresh'>, Answer> {}
export class UpdateDirectoryPermission extends DriveCommand<UpdateCommand, Answer> {}
export class DeleteDirectoryPermission extends DriveCommand<DeletePermission, PermissionDeleted> {}
export class RedeemDirectoryPermission extends DriveCommand<RedeemInput, Answer> {}

export class GetDirectoryPermission extends DriveQuery<{ id: string }, DirectoryPermissionView> {}
export class ListDirectoryPermissions extends DriveQuery<
  ListDirectoryInput,
  ListPage<DirectoryPermissionView>
> {}
export class CheckDirectoryPermission extends DriveQuery<
  CheckPermission,
  DirectoryPermissionCheck
> {}

export const directoryPermissionHandlers = [
  driveCommandHandler(
    CreateDirectoryPermission,
    permissionCommands.CreateDirectoryPermission,
    (input) => ({ ...input, fresh: freshGrant(PREFIX.directory_permission) }),
  ),
  driveCommandHandler(
    UpdateDirectoryPermission,
    permissionCommands.UpdateDirectoryPermission,
    (input) => input,
  ),
  driveCommandHandler(
    DeleteDirectoryPermission,
    permissionCommands.DeleteDirectoryPermission,
    (input) => input,
  ),
  driveCommandHandler(
    RedeemDirectoryPermission,
    permissionCommands.RedeemDirectoryPermission,
    redemption,
  ),
  driveQueryHandler(GetDirectoryPermission, (drives, reader, { id }) =>
    readRecord(drives, directoryPermissionReads, reader, id),
  ),
  driveQueryHandler(ListDirectoryPermissions, (drives, reader, { resource_id, ...page }) =>
    listRecords(drives, resourceGrantReads, reader, { ...page, filters: '' }, (context) => {
      const of_resource = grantsOnResource(context, resource_id);
      if (isRefusal(of_resource)) return of_resource;
      return { where: [of_resource], scope: resource_id };
    }),
  ),
  driveQueryHandler(CheckDirectoryPermission, (drives, reader, question) =>
    answerFrom(drives, reader, (context) => checkDirectoryPermission(context, question)),
  ),
];
