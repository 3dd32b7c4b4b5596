import type { RecordBase } from '../kernel/record.js';
import type { RefusalCode } from '../kernel/refusal.js';
import type { Context } from './decision.js';

/** Holds for a record if the field (or one of its values) is among `among`; `id` is always a field. */
export interface Clause {
  readonly field: string;
  readonly among: ReadonlySet<string>;
}

/** What a caller may see of a family: all of it, or records for which at least one clause holds. */
export type Visibility = 'all' | readonly Clause[];

/**
 * How the records of one family are read: who may see which, and how one is presented. `record` is
 * the record from the state, or a stored document with the same fields; `open` takes both.
 */
export interface ReadDefinition<R extends RecordBase, View> {
  /** Name of the family in state and read model. */
  readonly family: string;
  readonly not_found: RefusalCode;
  /** What a caller gets who may not read an existing record. */
  readonly when_hidden: RefusalCode;
  readonly mayRead: (context: Context, record: R) => boolean;
  /**
   * For families where nobody may learn whether an id exists: asked before existence, on the id
   * alone. Absent elsewhere.
   */
  readonly mayAsk?: (context: Context, id: string) => boolean;
  /** The id behind what clients may give in its place; absent where only ids are taken. */
  readonly idOf?: (context: Context, asked: string) => string;
  /** What a list or search shows to the caller; must agree with `mayRead` record for record. */
  readonly visible: (context: Context) => Visibility;
  /**
   * Families whose records `visible` looks at, for remembering what it found: see
   * `KnownVisibility`. Absent: whatever there is in the drive.
   */
  readonly rests_on?: readonly string[];
  readonly present: (context: Context, record: R) => View;
  /** How a record is presented within a list, where that differs from `present`. */
  readonly presentInList?: (context: Context, record: R) => View;
  /**
   * True if presenting a record asks when users were last online. What it gave is then out of date whenever one is
   * seen; elsewhere that changes nothing, and what was shown is kept.
   */
  readonly shows_presence?: true;
  /** Text that list filters look into, sealed fields opened. Default: none. */
  readonly filter_text?: (record: R) => string;
  /** Values of the fields that clauses may name, beside `id`. */
  readonly fields?: Readonly<Record<string, (record: R) => string | readonly string[]>>;
  /** Absent for families that search does not cover. */
  readonly search?: SearchDefinition<R>;
}

/** How search finds and shows records; their sealed fields come opened. */
export interface SearchDefinition<R extends RecordBase> {
  /** The category that clients ask for. */
  readonly category: string;
  /** What matches are looked for in. */
  readonly text: (record: R) => string;
  /** The record's name: decides score and alphabetical order. */
  readonly title: (record: R) => string;
  readonly updated_at: (record: R) => number;
  readonly preview: (record: R, context: Context) => string;
  /** What clients build a link from; default: the record's external payload. */
  readonly link?: (record: R, context: Context) => string;
  /** What a text in lower case finds beside the records' own text. */
  readonly finds?: (context: Context, text: string) => FoundBeside;
}

/** Clauses that find files or folders: by the folders above them, and by their metadata. */
export interface FoundBeside {
  readonly by_path: readonly Clause[];
  readonly by_metadata: Clause;
}

/** Joins texts so that no match spans two. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n');
}

/** A field that is sealed in the state and comes opened. */
export function opened(value: unknown): string {
  return value as string;
}
