import { reachableFamilies } from '../access-questions/reach.js';
import { type RecordKind, RecordKinds } from '../foundation/record-kinds.js';
import { FAMILIES } from './families.js';

/** A kind of records with its place in the state. */
interface StoredRecords {
  readonly table_name: string;
  readonly definition: RecordKind['definition'];
  /** Absent for working data, which no read shows. */
  readonly reads?: RecordKind['reads'];
  readonly is_replayed: boolean;
}

/** All records, in the order of the families. */
export const RECORDS: readonly StoredRecords[] = FAMILIES.flatMap(
  ({ records, reads = {}, of_factory = false }) =>
    Object.entries(records as Readonly<Record<string, RecordKind['definition']>>).map(
      ([table_name, definition]) => ({
        table_name,
        definition,
        reads: (reads as Readonly<Record<string, RecordKind['reads']>>)[table_name]!,
        is_replayed: !of_factory && !definition.unhashed,
      }),
    ),
);

export const SHOWN_RECORDS: readonly Required<StoredRecords>[] = RECORDS.filter(
  (kind): kind is Required<StoredRecords> => kind.reads !== undefined,
);

export const RECORD_KINDS = new RecordKinds(
  SHOWN_RECORDS,
  FAMILIES.flatMap(({ tables = [] }) => tables),
);

/** Families that queries about reach can request. */
export const REACHABLE_FAMILIES = reachableFamilies(RECORD_KINDS);
