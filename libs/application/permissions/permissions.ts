import {
  checkDirectoryPermission,
  checkSystemPermission,
} from '../../domain/permissions/rules/check.js';
import type { RedeemPermission } from '../../domain/permissions/commands.js';
import { permissionCommands } from '../../domain/permissions/definitions.js';
import {
  type DirectoryPermissionView,
  grantsOnResource,
  resourceGrantReads,
  type SystemGrantFilter,
  systemGrantsWhere,
  systemPermissionReads,
  type SystemPermissionView,
} from '../../domain/permissions/reads.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import type { PageInput } from '../pages/cursor.js';
import { driveCommand } from '../drive-command.js';
import { driveQuery, stateQuery } from '../drive-query.js';
import { type ListPage, listRecords } from '../list-records.js';

/** Input of a redemption with the code in clear. Only its digest reaches the command. */
interface RedeemInput extends Omit<RedeemPermission, 'redeem_digest'> {
  readonly redeem_code: string;
}

function redemption({ redeem_code, ...rest }: RedeemInput): RedeemPermission {
  return { ...rest, redeem_digest: sha256Hex(redeem_code) };
}

interface ListDirectoryInput extends PageInput {
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

export const CheckDirectoryPermission = stateQuery(
  'CheckDirectoryPermission',
  checkDirectoryPermission,
);

interface ListSystemInput extends PageInput {
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
      scope: scopeOf(filters),
    })),
);

/** The same for all ways to write the same filters. */
function scopeOf({ resource_ids = [], grantee_ids = [], labels = [] }: SystemGrantFilter): string {
  const lists = [resource_ids, grantee_ids, labels];
  return JSON.stringify(lists.map((values) => [...new Set(values)].toSorted()));
}

export const CheckSystemPermission = stateQuery('CheckSystemPermission', checkSystemPermission);
