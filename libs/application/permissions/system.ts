import { PREFIX } from '../../domain/kernel/ids.js';
import {
  checkSystemPermission,
  type SystemPermissionCheck,
} from '../../domain/permissions/rules/check.js';
import type {
  CheckPermission,
  CreateSystemPermission as CreateCommand,
  DeletePermission,
  UpdateSystemPermission as UpdateCommand,
} from '../../domain/permissions/commands.js';
import {
  permissionCommands,
  type PermissionDeleted,
  type WithPermission,
} from '../../domain/permissions/definitions.js';
import {
  type SystemGrantFilter,
  systemGrantsWhere,
  systemPermissionReads,
} from '../../domain/permissions/reads.js';
import type { SystemPermissionView } from '../../domain/permissions/view.js';
import type { PageInput } from '../cursor.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListPage, listRecords } from '../list-records.js';
import { answerFrom, readRecord } from '../read-record.js';
import { freshGrant, redemption, type RedeemInput } from './inputs.js';

type Answer = WithPermission<SystemPermissionView>;

export interface ListSystemInput extends PageInput {
  readonly filters?: SystemGrantFilter | undefined;
}

export class CreateSystemPermission extends DriveCommand<Omit<CreateCommand, 'fresh'>, Answer> {}
export class UpdateSystemPermission extends DriveCommand<Omit<UpdateCommand, 'fresh'>, Answer> {}
export class DeleteSystemPermission extends DriveCommand<DeletePermission, PermissionDeleted> {}
export class RedeemSystemPermission extends DriveCommand<RedeemInput, Answer> {}

export class GetSystemPermission extends DriveQuery<{ id: string }, SystemPermissionView> {}
export class ListSystemPermissions extends DriveQuery<
  ListSystemInput,
  ListPage<SystemPermissionView>
> {}
export class CheckSystemPermission extends DriveQuery<CheckPermission, SystemPermissionCheck> {}

export const systemPermissionHandlers = [
  driveCommandHandler(
    CreateSystemPermission,
    permissionCommands.CreateSystemPermission,
    (input) => ({ ...input, fresh: freshGrant(PREFIX.system_permission) }),
  ),
  driveCommandHandler(
    UpdateSystemPermission,
    permissionCommands.UpdateSystemPermission,
    (input) => ({ ...input, fresh: fresh.code() }),
  ),
  driveCommandHandler(
    DeleteSystemPermission,
    permissionCommands.DeleteSystemPermission,
    (input) => input,
  ),
  driveCommandHandler(
    RedeemSystemPermission,
    permissionCommands.RedeemSystemPermission,
    redemption,
  ),
  driveQueryHandler(GetSystemPermission, (drives, reader, { id }) =>
    readRecord(drives, systemPermissionReads, reader, id),
  ),
  driveQueryHandler(ListSystemPermissions, (drives, reader, { filters = {}, ...page }) =>
    listRecords(drives, systemPermissionReads, reader, { ...page, filters: '' }, (context) => ({
      where: systemGrantsWhere(context, filters),
      scope: JSON.stringify(filters),
    })),
  ),
  driveQueryHandler(CheckSystemPermission, (drives, reader, question) =>
    answerFrom(drives, reader, (context) => checkSystemPermission(context, question)),
  ),
];
