/** Common members of all records. Records are immutable: a changed record replaces the old one. */
export interface RecordBase {
  readonly id: string;
  /** Revision of the event that last changed the record's own fields. Not part of its hash. */
  readonly revision?: number;
  /** Labels pinned on the record, in the order of pinning; absent if there are none. */
  readonly label_ids?: readonly string[];
}

/** The value or values under which an index finds a record. */
export type Indexed = string | readonly string[] | null;

/** Id of a system table, in system permissions. */
export type TableId = `TABLE_${string}`;

/** Declaration of one family's records. */
export interface FamilyDefinition<R extends RecordBase> {
  /** Name in the API: `include` of replay, counts, hashes. */
  readonly name: string;
  /** Prefix of its records' ids; absent if ids do not show the family. */
  readonly prefix?: string;
  /** The system table whose grants cover its records; absent without system permissions. */
  readonly table?: TableId;
  /** The common noun for one record, if its name alone is not clear. */
  readonly noun?: string;
  /** Members equal to these are omitted from the record's hash, so that fields added later change no old hash. */
  readonly defaults: Partial<R>;
  /** Fields with a user id, or a list with user ids; superswap replaces it in all of them. */
  readonly user_fields: readonly (keyof R & string)[];
  /** Indexes by value; null and '' are not indexed. */
  readonly indexes?: Readonly<Record<string, (record: R) => Indexed>>;
  /** Indexes by two values at once. */
  readonly pairs?: Readonly<Record<string, (record: R) => readonly [string, string]>>;
  /** Ordered lists: the records under each value of a single-valued index, in the order of a text. */
  readonly orders?: Readonly<Record<string, { index: string; text: (record: R) => string }>>;
  /** Totals of an amount over the records with one value. */
  readonly sums?: Readonly<Record<string, (record: R) => readonly [value: string, amount: number]>>;
  /** What the event index finds the events of a record by, besides its id; contains a blank, which no id does. */
  readonly found_by?: (record: R) => string;
  /** Times at which the record becomes active or inactive (only those above 0 matter). */
  readonly windows?: (record: R) => readonly number[];
  /** Fields that history omits because they mean nothing to users. Ids and digests are always omitted. */
  readonly internal?: readonly (keyof R & string)[];
  /** True if the id of a deleted record may be used again. */
  readonly reusable_ids?: boolean;
  /** True: a superswap replaces ids in them without counting them as changed. */
  readonly uncounted_in_superswap?: boolean;
  /** True for working data: replay does not show its records, so the state hash does not cover them. */
  readonly unhashed?: boolean;
}
