import {
  DIRECTORY_TYPES,
  type DirectoryType,
} from '../../../libs/domain/kernel/permission-types.js';
import {
  Flag,
  Id,
  JsonObject,
  Nested,
  PermissionTypes,
  Text,
  Timestamp,
} from '../platform/requests/fields.js';
import { Grantee, PermissionPageBody } from './permission-fields.js';

const RESOURCES = ['FolderID_', 'FileID_'];

export class CreateDirectoryPermissionBody {
  @Id('DirectoryPermissionID_') id?: string;
  @Id(RESOURCES, { required: true }) resource_id!: string;
  @Grantee({ description: 'If absent, a placeholder with a redeem code is created' })
  granted_to?: string;
  @PermissionTypes(DIRECTORY_TYPES, { required: true }) permission_types!: DirectoryType[];
  @Timestamp({ description: 'Start time in ms; 0 = no start' }) begin_date_ms?: number;
  @Timestamp({ expiry: true, description: 'ms; -1 = never' }) expiry_date_ms?: number;
  @Flag({ description: 'Default: false' }) inheritable?: boolean;
  @Text({ max: 8192 }) note?: string;
  @JsonObject({ max: 8192 }) metadata?: object;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateDirectoryPermissionBody {
  @Id('DirectoryPermissionID_', { required: true }) id!: string;
  @PermissionTypes(DIRECTORY_TYPES, {
    required: 'strict',
    null: 'refused',
    description: 'Replaces all permission types',
  })
  permission_types?: DirectoryType[];
  @Timestamp({ null: 'keeps' }) begin_date_ms?: number;
  @Timestamp({ expiry: true, null: 'keeps' }) expiry_date_ms?: number;
  @Flag({ null: 'keeps' }) inheritable?: boolean;
  @Text({ max: 8192, null: 'clears' }) note?: string | null;
  @JsonObject({ max: 8192, null: 'clears' }) metadata?: object | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteDirectoryPermissionBody {
  @Id('DirectoryPermissionID_', { description: 'Required, unless sent as `id`' })
  permission_id?: string;
  @Id('DirectoryPermissionID_', { description: 'Alias of `permission_id`' }) id?: string;
}

export class CheckDirectoryPermissionBody {
  @Id(RESOURCES, { required: true }) resource_id!: string;
  @Grantee({ required: true }) grantee_id!: string;
}

export class RedeemDirectoryPermissionBody {
  @Id('DirectoryPermissionID_', { required: true }) permission_id!: string;
  @Id('UserID_', {
    required: true,
    description: 'User who receives the grant; may differ from the caller',
  })
  user_id!: string;
  @Text({ max: 256, required: true }) redeem_code!: string;
  @Text({ max: 8192 }) note?: string;
}

export class DirectoryPermissionFilters {
  @Id(RESOURCES, { required: true }) resource_id!: string;
}

export class ListDirectoryPermissionsBody extends PermissionPageBody {
  @Nested(() => DirectoryPermissionFilters, { required: true })
  filters!: DirectoryPermissionFilters;
}
