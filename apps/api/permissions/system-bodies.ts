import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import {
  Flag,
  Id,
  JsonObject,
  ListOf,
  Nested,
  PermissionTypes,
  Text,
  Timestamp,
} from '../platform/requests/fields.js';
import { id, text } from '../platform/requests/rules.js';
import {
  GRANTEES,
  Grantee,
  PermissionPageBody,
  SystemResource,
  systemResource,
} from './permission-fields.js';

/** UPDATE is an older name of EDIT. */
const ALIASES = { UPDATE: 'EDIT' };
const MOST_FILTERS = 1000;

export class CreateSystemPermissionBody {
  @Id('SystemPermissionID_') id?: string;
  @SystemResource({ required: true }) resource_id!: string;
  @Grantee({ description: 'If absent, a placeholder with a redeem code is created' })
  granted_to?: string;
  @PermissionTypes(SYSTEM_TYPES, { required: true, aliases: ALIASES })
  permission_types!: SystemType[];
  @Timestamp({ description: 'Start time in ms; 0 = no start' }) begin_date_ms?: number;
  @Timestamp({ expiry: true, description: 'ms; -1 = never' }) expiry_date_ms?: number;
  @Flag({ description: 'Default: true; stored, but without effect' }) inheritable?: boolean;
  @Text({ max: 8192 }) note?: string;
  @JsonObject({ max: 8192 }) metadata?: object;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateSystemPermissionBody {
  @Id(['SystemPermissionID_', 'DirectoryPermissionID_'], {
    required: true,
    description: 'Id of the system permission',
  })
  id!: string;
  @SystemResource({ null: 'keeps' }) resource_id?: string;
  @Grantee({ null: 'keeps', description: 'A placeholder gets a new redeem code' })
  granted_to?: string;
  @PermissionTypes(SYSTEM_TYPES, { null: 'keeps', aliases: ALIASES })
  permission_types?: SystemType[];
  @Timestamp({ null: 'keeps' }) begin_date_ms?: number;
  @Timestamp({ expiry: true, null: 'keeps' }) expiry_date_ms?: number;
  @Flag({ null: 'keeps' }) inheritable?: boolean;
  @Text({ max: 8192, null: 'clears' }) note?: string | null;
  @JsonObject({ max: 8192, null: 'clears' }) metadata?: object | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteSystemPermissionBody {
  @Id('SystemPermissionID_', { description: 'Required, unless sent as `id`' })
  permission_id?: string;
  @Id('SystemPermissionID_', { description: 'Alias of `permission_id`' }) id?: string;
}

export class CheckSystemPermissionBody {
  @SystemResource({ required: true }) resource_id!: string;
  @Grantee({ required: true }) grantee_id!: string;
}

export class RedeemSystemPermissionBody {
  @Id('SystemPermissionID_', { required: true }) permission_id!: string;
  @Id('UserID_', {
    required: true,
    description: 'User who receives the grant; may differ from the caller',
  })
  user_id!: string;
  @Text({ max: 256, required: true }) redeem_code!: string;
  @Text({ max: 8192 }) note?: string;
}

export class SystemPermissionFilters {
  @ListOf(systemResource(), {
    max: MOST_FILTERS,
    distinct: true,
    description: 'Only grants with one of these values',
  })
  resource_ids?: string[];
  @ListOf(id(GRANTEES, { literals: ['PUBLIC'] }), {
    max: MOST_FILTERS,
    distinct: true,
    description: 'Only grants with one of these values',
  })
  grantee_ids?: string[];
  @ListOf(text({ max: 256 }), {
    max: MOST_FILTERS,
    distinct: true,
    description: 'Only grants with one of these values',
  })
  labels?: string[];
}

export class ListSystemPermissionsBody extends PermissionPageBody {
  // Other lists have a string here; an empty one is accepted.
  @Nested(() => SystemPermissionFilters, { empty: 'absent' }) filters?: SystemPermissionFilters;
}
