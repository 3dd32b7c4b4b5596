import type { FieldChange } from '../../../libs/application/history/changes.js';
import {
  type Change,
  CHANGES,
  type CompareAnswer,
  type RecordDifference,
} from '../../../libs/application/history/compare.js';
import { REPLAY_FAMILIES } from '../../../libs/application/replay/families.js';
import type { Point } from '../../../libs/engine/past/points.js';
import {
  ShownInteger,
  ShownIntegers,
  ShownObject,
  ShownOneOf,
  ShownRecord,
  ShownRecords,
  ShownText,
  ShownValue,
} from '../records/shown.js';

export class FieldChangeRecord implements FieldChange {
  @ShownText({ example: 'name' }) field!: string;
  @ShownValue({ description: 'Null where there was no record; secrets are `***`' })
  before!: unknown;
  @ShownValue({ description: 'Null where there is no record any more; secrets are `***`' })
  after!: unknown;
}

export class DifferenceRecord implements RecordDifference {
  @ShownOneOf(REPLAY_FAMILIES) family!: string;
  @ShownText() resource_id!: string;
  @ShownText({ description: 'What the record is called' }) name!: string;
  @ShownOneOf(CHANGES) change!: Change;
  @ShownRecords(() => FieldChangeRecord) fields!: FieldChange[];
  @ShownIntegers({ description: 'Revisions of the events that touched it in between' })
  revisions!: number[];
}

export class PointRecord implements Point {
  @ShownInteger() revision!: number;
  @ShownInteger({ description: 'ms' }) at_ms!: number;
}

export class CompareSummaryRecord implements Pick<CompareAnswer, 'from' | 'to' | 'counts'> {
  @ShownRecord(() => PointRecord) from!: Point;
  @ShownRecord(() => PointRecord) to!: Point;
  @ShownObject({ description: 'Rows of every family by change, over all pages' })
  counts!: CompareAnswer['counts'];
}
