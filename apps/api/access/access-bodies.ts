import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../../libs/domain/kernel/permission-types.js';
import { IntersectionType } from '@nestjs/swagger';
import type { PermissionType } from '../../../libs/domain/access-questions/held.js';
import { REACHABLE_FAMILIES } from '../../../libs/domain/drive/record-kinds.js';
import { Field, Flag, ListOf, Nested, OneOf, PageBody } from '../platform/requests/fields.js';
import { fault, Fault, type FieldOptions, Rule } from '../platform/requests/rule.js';
import { id, oneOf, withParts } from '../platform/requests/rules.js';
import { Grantee, systemResource } from '../permissions/permission-fields.js';
import { PointBody } from '../replay/points.js';

const TYPES = [...new Set<string>([...DIRECTORY_TYPES, ...SYSTEM_TYPES])];
/** UPDATE is an older name of EDIT. */
const ALIASES = { UPDATE: 'EDIT' };
const MOST_CHECKS = 1000;

/** A folder, file, table or record in any form that grants accept; converted to the stored form. */
function anyResource(options: FieldOptions): Rule {
  const directory = id(['FolderID_', 'FileID_']);
  const system = systemResource();
  const malformed = fault(
    'must be the id of a file, a folder or another record, or a system table',
  );
  const read = (value: unknown): unknown => {
    const taken = [directory.read(value), system.read(value)];
    return taken.find((one) => !(one instanceof Fault)) ?? malformed;
  };
  // The schemas overlap: a value may match both.
  const either = new Rule({ anyOf: [directory.schema, system.schema] }, read, options);
  return withParts(either, system.partsOf!);
}

const Resource = (options: FieldOptions): PropertyDecorator => Field(anyResource(options));

const Type = (options?: FieldOptions): PropertyDecorator =>
  OneOf(TYPES, { aliases: ALIASES, ...options });

export class ExplainBody extends PointBody {
  @Grantee({ required: true }) grantee_id!: string;
  @Resource({ required: true }) resource_id!: string;
}

export class WhoBody extends IntersectionType(PointBody, PageBody) {
  @Resource({ required: true }) resource_id!: string;
  @Type({ description: 'Only holders of this type' }) permission_type?: PermissionType;
}

export class ReachBody extends IntersectionType(PointBody, PageBody) {
  @Grantee({ required: true }) grantee_id!: string;
  @Type({ description: 'Only resources on which the grantee holds this type' })
  permission_type?: PermissionType;
  @ListOf(oneOf(REACHABLE_FAMILIES), {
    distinct: true,
    max: REACHABLE_FAMILIES.length,
    description: 'Only resources of these families; absent or empty: all',
    example: ['folders'],
  })
  families?: string[];
  @Flag({ default: true, description: 'True: one row per subtree; false: one row per resource' })
  collapse!: boolean;
}

export class AccessCheckBody {
  @Grantee({ required: true }) grantee_id!: string;
  @Resource({ required: true }) resource_id!: string;
  @Type({ required: true }) permission_type!: PermissionType;
}

export class CheckManyBody extends PointBody {
  @ListOf(() => AccessCheckBody, { required: true, min: 1, max: MOST_CHECKS })
  checks!: AccessCheckBody[];
}

export class AccessTimelineBody {
  @Grantee({ required: true }) grantee_id!: string;
  @Resource({ required: true }) resource_id!: string;
}

export class AccessDiffBody extends PageBody {
  @Nested(() => PointBody, { required: true, description: 'Earlier point' }) from!: PointBody;
  @Nested(() => PointBody, { description: 'Later point; absent: now' }) to?: PointBody;
  @Grantee({ description: 'Only changes for this grantee' }) grantee_id?: string;
  @Resource({ description: 'Only changes on this resource' }) resource_id?: string;
}
