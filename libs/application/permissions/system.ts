import {
  checkSystemPermission,
  type SystemPermissionCheck,
} from '../../domain/permissions/rules/check.js';
import type { CheckPermission } from '../../domain/permissions/commands.js';
import { permissionCommands } from '../../domain/permissions/definitions.js';
import {
  type SystemGrantFilter,
  systemGrantsWhere,
  systemPermissionReads,
  type SystemPermissionView,
} from '../../domain/permissions/reads.js';
import type { PageInput } from '../cursor.js';
import { driveCommand } from '../drive-command.js';
import { driveQuery } from '../drive-query.js';
import { type ListPage, listRecords } from '../list-records.js';
import { answerFrom } from '../read-record.js';
import { redemption } from './inputs.js';

export interface ListSystemInput extends PageInput {
  readonly filters?: SystemGrantFilter | undefined;
}

export const RedeemSystemPermission = driveCommand(
  permissionCommands.RedeemSystemPermission,
  redemption,
);

export const ListSystemPermissions = driveQuery<ListSystemInput, ListPage<SystemPermissionView>>(
  'ListSystemPermissions',
  (drives, reader, { filters = {}, ...page }) =>
    listRecords(drives, systemPermissionReads, reader, { ...page, filters: '' }, (context) => ({
      where: systemGrantsWhere(context, filters),
      scope: JSON.stringify(filters),
    })),
);

export const CheckSystemPermission = driveQuery<CheckPermission, SystemPermissionCheck>(
  'CheckSystemPermission',
  (drives, reader, question) =>
    answerFrom(drives, reader, (context) => checkSystemPermission(context, question)),
);
