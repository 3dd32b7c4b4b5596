import { reachableFamilies } from '../access-questions/reach.js';
import { RecordKinds } from '../foundation/record-kinds.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { FAMILIES } from './families.js';

/** Definitions of all records by the name of their table in the state. */
export const DEFINITIONS = FAMILIES.flatMap(
  ({ records }) => Object.entries(records) as [string, FamilyDefinition<RecordBase>][],
);

export const RECORD_KINDS = new RecordKinds(
  DEFINITIONS.map(([, definition]) => definition),
  FAMILIES.flatMap(({ tables = [] }) => tables),
);

/** Families of what questions about reach can be asked for. */
export const REACHABLE_FAMILIES = reachableFamilies(RECORD_KINDS);
