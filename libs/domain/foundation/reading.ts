import type { RecordBase } from '../kernel/record.js';
import type { RefusalCode } from '../kernel/refusal.js';
import type { Context } from './decision.js';

/** Matches a record if the field (or one of its values) is among `among`; `id` is always a field. */
export interface Clause {
  readonly field: string;
  readonly among: ReadonlySet<string>;
}

/** The records of a family that a caller may see: all, or those that match at least one clause. */
export type Visibility = 'all' | readonly Clause[];

/**
 * How the records of one family are read: their visibility and presentation. `record` is the record of the state, or
 * a stored document with the same fields; `open` accepts both.
 */
export interface ReadDefinition<R extends RecordBase, View> {
  /** Name of the family in state and read model. */
  readonly family: string;
  readonly not_found: RefusalCode;
  /** The refusal for callers who may not read an existing record. */
  readonly when_hidden: RefusalCode;
  readonly mayRead: (context: Context, record: R) => boolean;
  /** `mayRead` for many records of one moment, where that has to be faster than one by one. */
  readonly mayReadEach?: (context: Context) => (record: R) => boolean;
  /** For families whose ids are confidential: checked before existence, by the id alone. Absent otherwise. */
  readonly mayAsk?: (context: Context, id: string) => boolean;
  /** Resolves an alternative that clients may send to the id; absent if only ids are accepted. */
  readonly idOf?: (context: Context, requested_id: string) => string;
  /** The records that lists and searches show to the caller; must agree with `mayRead` record for record. */
  readonly visible: (context: Context) => Visibility;
  /** Families that `visible` reads, for caching: see `KnownVisibility`. Absent: any family of the drive. */
  readonly rests_on?: readonly string[];
  readonly present: (context: Context, record: R) => View;
  /** Presentation within a list, if it differs from `present`. */
  readonly presentInList?: (context: Context, record: R) => View;
  /**
   * By family, the records that are presented differently, or read by others, after a record of it changed: their ids,
   * or all. Rights of the caller by its groups, time windows and presence are not listed. Absent: any change of the
   * drive may matter.
   */
  readonly shown_from?: ShownFrom;
  /** Ids of all records whose presentation shows when a user was last online, found one by one. Absent: none does. */
  readonly shows_presence?: (context: Context, user_id: string) => Iterable<string>;
  /** Text for list filters, sealed fields opened. Default: none. */
  readonly filter_text?: (record: R) => string;
  /** Values of the fields that clauses may name, besides `id`. */
  readonly fields?: Readonly<Record<string, (record: R) => string | readonly string[]>>;
  /** Absent for families without search. */
  readonly search?: SearchDefinition<R>;
}

/** The records whose presentation depends on a changed record, by the family of that record. */
export type ShownFrom = Readonly<
  Record<string, 'all' | ((changed: RecordBase) => readonly string[])>
>;

/** How search finds and shows records; their sealed fields are opened. */
export interface SearchDefinition<R extends RecordBase> {
  readonly category: string;
  readonly text: (record: R) => string;
  /** The record's name: determines score and alphabetical order. */
  readonly title: (record: R) => string;
  readonly updated_at: (record: R) => number;
  readonly preview: (record: R, context: Context) => string;
  /** The source of a link; default: the record's external payload. */
  readonly link?: (record: R, context: Context) => string;
  /** Further matches of a lower-case text besides the records' own text. */
  readonly finds?: (context: Context, text: string) => FoundBeside;
}

/** Clauses that match files or folders by their ancestors and by their metadata. */
interface FoundBeside {
  readonly by_path: () => readonly Clause[];
  readonly by_metadata: () => Clause;
}

/** Joins texts so that no match spans two. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n');
}

/** A field that is sealed in the state and opened here. */
export function opened(value: unknown): string {
  return value as string;
}
