import { RECORD_KINDS } from '../../../libs/domain/drive/record-kinds.js';
import { parseSystemResource } from '../../../libs/domain/permissions/rules/system-resource.js';
import { Field, Id, PageBody, PageSize } from '../platform/requests/fields.js';
import { ApiError } from '../platform/errors.js';
import { fault, type FieldOptions, Rule } from '../platform/requests/rule.js';
import { text, withParts } from '../platform/requests/rules.js';

export const GRANTEES = ['UserID_', 'GroupID_', 'PlaceholderPermissionGranteeID_'];

/** A user, a group, a placeholder or `PUBLIC`. */
export const Grantee = (options?: FieldOptions): PropertyDecorator =>
  Id(GRANTEES, { literals: ['PUBLIC'], ...options });

const SYSTEM_RESOURCE_SCHEMA = {
  oneOf: [
    {
      type: 'string',
      description:
        `A table: ${RECORD_KINDS.tables.join(', ')}; or the id of a record of one, which need not exist. ` +
        'Other ids, such as those of files, versions and redeem codes, are refused',
    },
    {
      type: 'object',
      properties: { type: { enum: ['Table', 'Record'] }, value: { type: 'string' } },
      required: ['type', 'value'],
    },
    { type: 'object', properties: { Table: { type: 'string' } }, required: ['Table'] },
    { type: 'object', properties: { Record: { type: 'string' } }, required: ['Record'] },
  ],
};

/** The members of the forms that are objects. */
class SystemResourceParts {
  @Field(text()) declare type?: string;
  @Field(text()) declare value?: string;
  @Field(text()) declare Table?: string;
  @Field(text()) declare Record?: string;
}

/** A table or record in any accepted form; converted to `TABLE_X` or the record's id. */
export function systemResource(options: FieldOptions = {}): Rule {
  const malformed = fault(
    'must be a system table or the id of a record other than a file or folder',
  );
  const read = (value: unknown) => parseSystemResource(RECORD_KINDS, value) ?? malformed;
  return withParts(new Rule(SYSTEM_RESOURCE_SCHEMA, read, options), () => SystemResourceParts);
}

export const SystemResource = (options?: FieldOptions): PropertyDecorator =>
  Field(systemResource(options));

/** Page fields of both permission lists; their `filters` is not a string. */
export class PermissionPageBody extends PageBody {
  @PageSize(10) declare page_size: number;
}

/** The id of the permission to delete, from `permission_id` or `id`. */
export function permissionToDelete(body: { permission_id?: string; id?: string }): {
  permission_id: string;
} {
  const permission_id = body.permission_id ?? body.id;
  if (permission_id) return { permission_id };
  throw ApiError.invalid([{ pointer: '/permission_id', reason: 'is required' }]);
}
