/** What every record has. Records are values: a changed record replaces the old one. */
export interface RecordBase {
  readonly id: string;
  /** Revision of the event that last changed the record's own fields. Not part of its hash. */
  readonly revision?: number;
  /** Labels pinned on the record, in the order of pinning; absent if there are none. */
  readonly label_ids?: readonly string[];
}

/** The value or values under which an index finds a record. */
export type Indexed = string | readonly string[] | null;

/** A table of records as system permissions name it. */
export type TableId = `TABLE_${string}`;

/** What one family declares about its records. */
export interface FamilyDefinition<R extends RecordBase> {
  /** Name in the API: `include` of replay, counts, hashes. */
  readonly name: string;
  /** How ids of its records begin; absent where ids tell no family. */
  readonly prefix?: string;
  /** The system table whose grants cover its records; absent where system permissions do not count. */
  readonly table?: TableId;
  /** The common noun for one record, where its name alone does not say what it is. */
  readonly noun?: string;
  /** Members equal to these are left out of the record's hash, so fields added later change no old hash. */
  readonly defaults: Partial<R>;
  /** Fields that hold a user id, or a list with user ids; superswap replaces it in all of them. */
  readonly user_fields: readonly (keyof R & string)[];
  /** What is looked up by value; null and '' are not indexed. */
  readonly indexes?: Readonly<Record<string, (record: R) => Indexed>>;
  /** What is looked up by two values at once. */
  readonly pairs?: Readonly<Record<string, (record: R) => readonly [string, string]>>;
  /** What is listed in the order of a text: the records under each value of an index that gives one value. */
  readonly orders?: Readonly<Record<string, { index: string; text: (record: R) => string }>>;
  /** Times at which the record begins or stops to count (only those above 0 matter). */
  readonly windows?: (record: R) => readonly number[];
  /** What history does not show: fields that mean nothing to people. Ids and digests never are shown. */
  readonly internal?: readonly (keyof R & string)[];
  /** True if the id of a deleted record may be used again. */
  readonly reusable_ids?: boolean;
  /** True: a superswap replaces ids in them without counting them as changed. */
  readonly uncounted_in_superswap?: boolean;
  /** True for working data: no replay shows its records, so the state hash does not cover them either. */
  readonly unhashed?: boolean;
}
