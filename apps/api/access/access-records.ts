import { DIRECTORY_TYPES, SYSTEM_TYPES } from '../../../libs/domain/kernel/permission-types.js';
import { ApiProperty } from '@nestjs/swagger';
import type { ShownPoint } from '../../../libs/application/access/asked-point.js';
import type { AccessDiffAnswer, TimelineAnswer } from '../../../libs/application/access/past.js';
import type {
  CheckExisted,
  CheckManyAnswer,
  ExplainAnswer,
  OfExisted,
} from '../../../libs/application/access/questions.js';
import type {
  Because,
  InheritedFrom,
  Source,
} from '../../../libs/domain/access-questions/because.js';
import type { AccessChange } from '../../../libs/domain/access-questions/diff.js';
import {
  DENIALS,
  type DeniedGrant,
  type Denial,
} from '../../../libs/domain/access-questions/explain.js';
import type { PermissionType } from '../../../libs/domain/access-questions/held.js';
import type { Existed } from '../../../libs/domain/access-questions/known.js';
import type { Reached } from '../../../libs/domain/access-questions/reach.js';
import type { HeldInterval } from '../../../libs/domain/access-questions/timeline.js';
import type { Holder } from '../../../libs/domain/access-questions/who.js';
import {
  ShownFlags,
  ShownInteger,
  ShownIntegerOrNull,
  ShownIntegers,
  ShownListsByWord,
  ShownOneOf,
  ShownRecord,
  ShownRecordOrNull,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

const TYPES = [...new Set<string>([...DIRECTORY_TYPES, ...SYSTEM_TYPES])];
const Types = (description?: string): PropertyDecorator =>
  ShownWords(TYPES, description ? { description } : {});

export class ExistedRecord implements Existed {
  @ShownInteger({ description: 'ms; time of the first event about it' }) from_ms!: number;
  @ShownInteger({ description: 'ms; when it was removed, swapped or expired; -1 = still' })
  to_ms!: number;
}

/** Told to holders of VIEW on AUDIT only. */
const IfExisted = (): PropertyDecorator =>
  ApiProperty({
    type: () => ExistedRecord,
    required: false,
    description:
      'Only if an id of the question was not there at the point: when it was; of two the resource',
  });

export class ShownPointRecord implements ShownPoint {
  @ShownInteger() revision!: number;
  @ShownIntegerOrNull({
    description: 'ms; null for callers without VIEW on TABLE_AUDIT who name a revision',
  })
  at_ms!: number | null;
}

export class AskedPointRecord extends ShownPointRecord implements OfExisted {
  @IfExisted() existed?: Existed;
}

export class InheritedFromRecord implements InheritedFrom {
  @ShownText() folder_id!: string;
  @ShownText({ description: 'As the caller may see it; empty if not at all' }) path!: string;
}

export class SourceRecord implements Source {
  @ShownTextOrNull({ description: 'Null for ownership' }) permission_id!: string | null;
  @ShownTextOrNull() granted_by!: string | null;
  @ShownTextOrNull({ description: 'Where the grant is placed' }) resource_id!: string | null;
  @ShownInteger({ description: 'ms; 0 = from the start' }) begin_date_ms!: number;
  @ShownInteger({ description: 'ms; -1 = never' }) expiry_date_ms!: number;
  @ShownText({ description: 'DIRECT, PUBLIC, OWNER, or the id of the group granted to' })
  via!: string;
  @ShownTextOrNull({ description: 'The invite that made the membership' })
  invite_id!: string | null;
  @ShownRecordOrNull(() => InheritedFromRecord, { description: 'The folder it comes from' })
  inherited_from!: InheritedFrom | null;
}

const Reasons = (): PropertyDecorator =>
  ShownListsByWord(SourceRecord, {
    description: 'By type, what gives it: ownership, then grants, oldest first, at most 100',
  });

export class DeniedGrantRecord implements DeniedGrant {
  @ShownText() permission_id!: string;
  @ShownText() granted_by!: string;
  @ShownText() granted_to!: string;
  @ShownText({ description: 'Where the grant is placed' }) resource_id!: string;
  @Types() permission_types!: string[];
  @ShownInteger() begin_date_ms!: number;
  @ShownInteger() expiry_date_ms!: number;
  @ShownOneOf(DENIALS, { description: 'The first that holds, in this order' }) reason!: Denial;
}

export class ExplanationRecord extends AskedPointRecord implements ExplainAnswer {
  @ShownText() grantee_id!: string;
  @ShownText() resource_id!: string;
  @Types('Effective types, as check answers them') permissions!: PermissionType[];
  @Reasons() because!: Because;
  @ShownRecords(() => DeniedGrantRecord, {
    description: 'Grants on the way to the resource that did not count; at most 1,000',
  })
  denied!: DeniedGrant[];
}

export class HolderRecord implements Holder {
  @ShownText({ description: 'A user, a group or PUBLIC' }) grantee_id!: string;
  @Types() types!: PermissionType[];
  @Reasons() because!: Because;
}

export class ReachedRecord implements Reached {
  @ShownText() resource_id!: string;
  @ShownText({ description: 'Tables are of the family `tables`' }) family!: string;
  @ShownText({ description: '`<DiskID>::/a/b/`, `TABLE_X` or `TABLE_X/<record id>`' })
  path!: string;
  @Types() types!: PermissionType[];
  @Types('Collapsed: what everything below gets that has no row and is not cut off')
  types_below!: PermissionType[];
  @ShownTexts({
    description: 'Collapsed: sovereign folders and files below, told at the nearest row; ≤ 1,000',
  })
  cuts!: string[];
  @Reasons() because!: Because;
}

export class CheckExistedRecord extends ExistedRecord implements CheckExisted {
  @ShownInteger({ description: 'Place of the check, from 0' }) check!: number;
}

export class CheckManyRecord extends ShownPointRecord implements CheckManyAnswer {
  @ShownFlags({ description: 'In the order of the checks' }) results!: boolean[];
  @ApiProperty({
    type: () => CheckExistedRecord,
    isArray: true,
    required: false,
    description: 'Only if checks name ids that were not there at the point: when they were',
  })
  existed?: CheckExisted[];
}

export class HeldIntervalRecord implements HeldInterval {
  @ShownOneOf(TYPES) permission_type!: PermissionType;
  @ShownInteger() from_ms!: number;
  @ShownInteger({ description: '-1 = still' }) to_ms!: number;
  @ShownInteger({ description: 'In force when it began' }) from_revision!: number;
  @ShownInteger({ description: 'In force when it ended; -1 = still' }) to_revision!: number;
  @ShownRecords(() => SourceRecord, { description: 'All that gave it meanwhile, at most 100' })
  because!: Source[];
}

export class TimelineRecord implements TimelineAnswer {
  @ShownText() grantee_id!: string;
  @ShownText() resource_id!: string;
  @ShownInteger({ description: 'The last revision looked at' }) revision!: number;
  @ShownRecords(() => HeldIntervalRecord, { description: 'At most 10,000, the latest ones' })
  intervals!: HeldInterval[];
  @ShownInteger({ description: 'How many there are' }) interval_count!: number;
  @IfExisted() existed?: Existed;
}

export class AccessChangeRecord implements AccessChange {
  @ShownText({ description: 'The id at the later point' }) grantee_id!: string;
  @ShownText() resource_root!: string;
  @ShownText() path!: string;
  @Types() gained!: PermissionType[];
  @Types() lost!: PermissionType[];
  @Types('What everything below gained that was there at both points')
  gained_below!: PermissionType[];
  @Types('What everything below lost that was there at both points') lost_below!: PermissionType[];
  @ShownTexts({ description: 'Below, but unchanged for reasons of their own; at most 1,000' })
  except!: string[];
  @ShownIntegers({ description: 'Events that made it so, at most 100; none: time alone did' })
  revisions!: number[];
  @ShownListsByWord(SourceRecord, {
    description: 'What gives the gained types at `to`, and gave the lost ones at `from`',
  })
  because!: Because;
}

export class AccessDiffSummaryRecord implements Pick<AccessDiffAnswer, 'from' | 'to' | 'existed'> {
  @ShownRecord(() => ShownPointRecord) from!: ShownPoint;
  @ShownRecord(() => ShownPointRecord) to!: ShownPoint;
  @IfExisted() existed?: Existed;
}
