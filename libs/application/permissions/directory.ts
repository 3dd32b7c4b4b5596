import {
  checkDirectoryPermission,
  type DirectoryPermissionCheck,
} from '../../domain/permissions/rules/check.js';
import type { CheckPermission } from '../../domain/permissions/commands.js';
import { permissionCommands } from '../../domain/permissions/definitions.js';
import {
  type DirectoryPermissionView,
  grantsOnResource,
  resourceGrantReads,
} from '../../domain/permissions/reads.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import type { PageInput } from '../cursor.js';
import { driveCommand } from '../drive-command.js';
import { driveQuery } from '../drive-query.js';
import { type ListPage, listRecords } from '../list-records.js';
import { answerFrom } from '../read-record.js';
import { redemption } from './inputs.js';

export interface ListDirectoryInput extends PageInput {
  readonly resource_id: string;
}

export const RedeemDirectoryPermission = driveCommand(
  permissionCommands.RedeemDirectoryPermission,
  redemption,
);

export const ListDirectoryPermissions = driveQuery<
  ListDirectoryInput,
  ListPage<DirectoryPermissionView>
>('ListDirectoryPermissions', (drives, reader, { resource_id, ...page }) =>
  listRecords(drives, resourceGrantReads, reader, { ...page, filters: '' }, (context) => {
    const of_resource = grantsOnResource(context, resource_id);
    if (isRefusal(of_resource)) return of_resource;
    return { where: [of_resource], scope: resource_id };
  }),
);

export const CheckDirectoryPermission = driveQuery<CheckPermission, DirectoryPermissionCheck>(
  'CheckDirectoryPermission',
  (drives, reader, question) =>
    answerFrom(drives, reader, (context) => checkDirectoryPermission(context, question)),
);
