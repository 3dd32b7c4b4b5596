import {
  DIRECTORY_TYPES,
  SYSTEM_TYPES,
  type DirectoryType,
  type SystemType,
} from '../../../libs/domain/kernel/permission-types.js';
import type { PermissionCheck } from '../../../libs/domain/permissions/rules/check.js';
import type {
  PermissionDeleted,
  WithPermission,
} from '../../../libs/domain/permissions/definitions.js';
import type {
  DirectoryPermissionView,
  PermissionView,
  SystemPermissionView,
} from '../../../libs/domain/permissions/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownObjectOrNull,
  ShownRecord,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

/** What both kinds of permission show. */
abstract class PermissionRecord implements Omit<PermissionView<never>, 'permission_types'> {
  @ShownText() id!: string;
  @ShownText() resource_id!: string;
  @ShownText({ description: 'Clipped path, empty without VIEW; of system grants the resource' })
  resource_path!: string;
  @ShownText({ description: 'A user, a group, a placeholder or PUBLIC' }) granted_to!: string;
  @ShownText() granted_by!: string;
  @ShownInteger({ description: 'ms; 0 = from the start' }) begin_date_ms!: number;
  @ShownInteger({ description: 'ms; -1 = never' }) expiry_date_ms!: number;
  @ShownFlag() inheritable!: boolean;
  @ShownText() note!: string;
  @ShownInteger() created_at!: number;
  @ShownInteger() last_modified_at!: number;
  @ShownTextOrNull({ description: 'The placeholder it was redeemed from' })
  from_placeholder_grantee!: string | null;
  @ShownTexts() labels!: string[];
  @ShownTextOrNull({ description: 'Null without a code and for callers who may not see it' })
  redeem_code!: string | null;
  @ShownText({
    description:
      'Of a file or folder its name (of a root that of its disk), empty for those without VIEW; of a system resource its id',
  })
  resource_name!: string;
  @ShownText() grantee_name!: string;
  @ShownText() grantee_avatar!: string;
  @ShownText() granter_name!: string;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
  @ShownObjectOrNull({ description: 'A directory password is null to those who may not see it' })
  metadata!: object | null;
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
}

export class DirectoryPermissionRecord extends PermissionRecord implements DirectoryPermissionView {
  @ShownWords(DIRECTORY_TYPES) permission_types!: readonly DirectoryType[];
}

export class DirectoryPermissionAnswer
  extends DirectoryPermissionRecord
  implements WithPermission<DirectoryPermissionView>
{
  @ShownRecord(() => DirectoryPermissionRecord, { description: 'The same record once more' })
  permission!: DirectoryPermissionView;
}

export class SystemPermissionRecord extends PermissionRecord implements SystemPermissionView {
  @ShownWords(SYSTEM_TYPES) permission_types!: readonly SystemType[];
}

export class SystemPermissionAnswer
  extends SystemPermissionRecord
  implements WithPermission<SystemPermissionView>
{
  @ShownRecord(() => SystemPermissionRecord, { description: 'The same record once more' })
  permission!: SystemPermissionView;
}

export class PermissionDeletedRecord implements PermissionDeleted {
  @ShownText() deleted_id!: string;
}

export class DirectoryPermissionCheckRecord implements PermissionCheck<DirectoryType> {
  @ShownText() resource_id!: string;
  @ShownText() grantee_id!: string;
  @ShownWords(DIRECTORY_TYPES) permissions!: readonly DirectoryType[];
}

export class SystemPermissionCheckRecord implements PermissionCheck<SystemType> {
  @ShownText({ description: 'As TABLE_X or a record id' }) resource_id!: string;
  @ShownText() grantee_id!: string;
  @ShownWords(SYSTEM_TYPES) permissions!: readonly SystemType[];
}
