/**
 * The read model: what lists and searches are found by. It indexes documents rendered from a drive's
 * state, and nothing that depends on the clock or on the caller; both arrive as parameters of the query.
 *
 * There are two kinds. A local one (`LocalReadModel`) is an index over each state in the memory of the process, and
 * follows it. A durable one (`ReadModel`) outlives the process; it keeps index entries, never records: it gives the
 * names of what it finds, and callers take the records from the state. Nothing in its interface may assume that the
 * adapter is local or synchronous.
 *
 * Errors: a query of a family, field or search that the schema lacks, a page size below 1, a position of another
 * order, an empty search text, or a step that does not lead forward is a bug of the caller; every adapter
 * throws (see checks.ts) before anything else happens, whether the drive is known or not. How texts fold,
 * how orders compare and how hits score is the same for all adapters (see order.ts).
 */
import type { KeyObject } from 'node:crypto';

/** Names one record of a drive. */
export interface DocumentKey {
  readonly family: string;
  readonly id: string;
}

/** A record of one family as the state shows it. */
export interface Document extends DocumentKey {
  /** Revision of the event that last changed the record's own fields. */
  readonly revision: number;
  /** The record's own fields. Joined names, previews and redaction are added when it is presented. */
  readonly record: object;
}

/** What a model keeps of a record beside its place in indexes. */
export interface Entry extends DocumentKey {
  /** `Document.revision`. */
  readonly revision: number;
  /** That of the document which the entry was made of: see `Fingerprints`. */
  readonly fingerprint: string;
}

/** How the documents of one family are ordered, filtered and searched. All functions are pure. */
export interface FamilySchema {
  /** First part of the list order, ms; the second part is the id. */
  created_at(record: object): number;
  /** Text that list filters look into (any case; the adapter folds it). */
  filter_text(record: object): string;
  /** Values of the fields that queries may name in a clause, beside `id` (which none may be called). */
  readonly fields: Readonly<Record<string, (record: object) => string | readonly string[]>>;
  /** Absent for families that search does not cover. */
  readonly search?: {
    /** The searched text (any case). A record with an empty text is never found. */
    text(record: object): string;
    /** The record's name: decides score and alphabetical order. */
    title(record: object): string;
    updated_at(record: object): number;
    /** False for records that search leaves out (such as trash folders). */
    includes?(record: object): boolean;
  };
}

export type ReadModelSchema = Readonly<Record<string, FamilySchema>>;

/**
 * Holds for a document if the field (or one of its values) is among `among`. `id` is always a field.
 * Adapters may identify a set by reference: it must not change once a query has used it.
 */
export interface Clause {
  readonly field: string;
  readonly among: ReadonlySet<string>;
}

/** What the caller may see: everything, or documents for which at least one clause holds (`[]`: nothing). */
export type Visibility = 'all' | readonly Clause[];

export type SortDirection = 'ASC' | 'DESC';

/**
 * Place of a boundary document in an order; the document need not exist any more.
 * Lists: `created_at` (ms) and the id. Search: see `SearchOrder`.
 */
export interface Position {
  readonly key: string | number;
  readonly id: string;
}

/**
 * From where a page is taken. Neither position = from the beginning of the order in the query's direction;
 * both = `after` counts. "After" and "before" are meant in that direction: after, descending, is what is
 * smaller. The document at the position itself is on neither side.
 */
export interface PageRequest {
  readonly direction: SortDirection;
  /** Most items of the page, from 1. */
  readonly page_size: number;
  readonly after?: Position;
  /** The page that ends just before this position: the `page_size` nearest items, in `direction`. */
  readonly before?: Position;
}

export interface ListQuery extends PageRequest {
  readonly family: string;
  /** All must hold. */
  readonly where?: readonly Clause[];
  readonly visible: Visibility;
  /** A document matches if its filter text contains `text` (case-folded here) or any clause holds. */
  readonly filter?: { readonly text: string; readonly or?: readonly Clause[] };
}

export interface Page<Item> {
  /** In the query's direction. */
  readonly items: readonly Item[];
  /** Matching visible documents over all pages, at `revision`. */
  readonly total: number;
  /** Position of the first item if another match precedes it, else null (an empty page: null). */
  readonly before: Position | null;
  /** Position of the last item if another match follows it, else null (an empty page: null). */
  readonly after: Position | null;
  /** Revision of the drive that the answer reflects. */
  readonly revision: number;
}

/**
 * Orders of search, and the key of a position in them. Equal keys are ordered by id, which therefore must
 * be unique over the families that are searched together.
 * - CREATED_AT, UPDATED_AT: key in ms.
 * - SCORE: key is the score; ascending begins with the worst.
 * - ALPHABETICAL: key is `textSortKey(title)`; equal keys are ordered by `idDigest(id)`, and the `id` of a
 *   position is that digest. Compared by code point.
 */
export type SearchOrder = 'CREATED_AT' | 'UPDATED_AT' | 'SCORE' | 'ALPHABETICAL';

export interface SearchedFamily {
  readonly family: string;
  readonly visible: Visibility;
  /** A document is also found if one of these holds (texts that are joined in). */
  readonly or?: readonly Clause[];
  /** In place of the text: only documents are found for which it holds. */
  readonly instead?: Clause;
}

export interface SearchQuery extends PageRequest {
  /** Not empty; case-folded by the adapter. */
  readonly text: string;
  /** Where to look, each family once, with what the caller may see of it. */
  readonly families: readonly SearchedFamily[];
  readonly order: SearchOrder;
}

export interface SearchHit<Item extends DocumentKey = DocumentKey> {
  readonly document: Item;
  /** 1 exact title, 0.75 title prefix, 0.5 title contains, 0.25 other (case-folded). */
  readonly score: number;
  /** In the order of the search, as it was found. */
  readonly position: Position;
}

/** Gives the current document of a key, undefined if there is none. */
export interface DocumentSource {
  document(family: string, id: string): Document | undefined;
  /** All documents of a family, in any order. If the state changes meanwhile: those that are added or changed may be missing. */
  documents(family: string): Iterable<Document>;
}

/** The documents of a state that changes between queries. */
export interface ChangingSource extends DocumentSource {
  readonly revision: number;
  /** Number of changes of a family so far. */
  version(family: string): number;
  /** Ids of the documents that changed after a version, until another or now; null if that is too long ago. */
  changedSince(family: string, version: number, until?: number): ReadonlySet<string> | null;
}

/** A place in a drive's stream, named by its event's revision and hash, by which a rewound stream is noticed. */
export interface StreamPlace {
  readonly revision: number;
  readonly event_hash: Uint8Array;
}

/** One step of a drive's read model from a revision to a later place. */
export interface Projection extends StreamPlace {
  readonly drive_id: string;
  readonly generation: string;
  /** The model must be at this revision, otherwise nothing happens and `false` is answered. */
  readonly from_revision: number;
  /** True if the generation must be the active one, otherwise nothing happens and `false` is answered. */
  readonly if_active?: boolean;
  /**
   * Records created, changed or removed by the step; `source` has their current form. Those of families that the
   * schema lacks are skipped. All other records must be as at `from_revision`.
   */
  readonly touched: readonly DocumentKey[];
  /** State at `revision`. Local adapters may keep it and read from it until the next step. */
  readonly source: DocumentSource;
}

export interface Checkpoint extends StreamPlace {
  readonly generation: string;
}

/**
 * A read model that outlives the process, and to which other processes may write. Its results may have another revision
 * than the state in memory.
 *
 * Every call names the drive first, so that no adapter call can forget the tenant.
 * Queries answer from the active generation. A drive without one answers as empty, at revision -1.
 *
 * `Item`: the result of queries for a record; keys, unless the adapter has the documents.
 */
export interface ReadModel<Item extends DocumentKey = DocumentKey> {
  readonly durable: true;
  /**
   * Names the stored format. Data of another format is not visible: a process that
   * stores how far a model has been written stores it for one format.
   */
  readonly form: string;
  /**
   * Applies one step to a generation, active or not, and moves its revision with it, all or nothing.
   * False, with nothing changed, if the step does not match (a redelivery, a gap, an unknown generation, an inactive one
   * that must be active).
   */
  apply(projection: Projection): Promise<boolean>;
  /**
   * Fills a new generation from all documents of `source`, which must not change until the promise settles. An
   * inactive left-over of the same name is replaced; an active one is an error. Cooperative. Resolves with the number of
   * documents; `progress` is called as it grows, and with the final number. If the drive is removed meanwhile, the
   * generation does not exist afterwards.
   */
  build(
    drive_id: string,
    generation: string,
    place: StreamPlace,
    source: DocumentSource,
    progress?: (documents_written: number) => void,
  ): Promise<number>;
  /**
   * Makes a generation the active one, atomically, on condition that it is at or past the active one.
   * False: it is not, or there is no such generation.
   */
  activate(drive_id: string, generation: string): Promise<boolean>;
  /** Removes a generation, unless it is the active one, which stays. */
  sweep(drive_id: string, generation: string): Promise<void>;
  /** All generations with their places; the active one is marked. Those that are being built may be among them. */
  generations(drive_id: string): Promise<readonly (Checkpoint & { active: boolean })[]>;
  /** Position of the active generation, or null. */
  checkpoint(drive_id: string): Promise<Checkpoint | null>;
  /** True if documents of the active generation are ahead of its checkpoint: a step in progress, or broken off. */
  isWithinStep(drive_id: string, families: readonly string[]): Promise<boolean>;
  /** Removes a drive with all its generations (it is built again on demand). */
  forget(drive_id: string): Promise<void>;

  list(drive_id: string, query: ListQuery): Promise<Page<Item>>;
  search(drive_id: string, query: SearchQuery): Promise<Page<SearchHit<Item>>>;
  /** The entries of some records of a family, in any order; missing ones are omitted. */
  entries(drive_id: string, family: string, ids: readonly string[]): Promise<readonly Entry[]>;
  /**
   * The key of the fingerprints in its entries, which identify the content of a document (`Fingerprints`). Without it,
   * they reveal nothing about the record to readers of the database.
   */
  fingerprintKey(): KeyObject;
  /** Names of data stored by earlier releases in another form, which is no longer read. */
  leftOvers(): Promise<readonly string[]>;
  /** Removes that data. Running processes of those releases would write it again, so stop them first. */
  dropLeftOvers(): Promise<void>;
  close(): Promise<void>;
}

export type Reads<Item extends DocumentKey = DocumentKey> = Pick<
  ReadModel<Item>,
  'list' | 'search'
>;

/**
 * The queries of one state in the memory of the process, at its revision. A family is indexed on first use, in small
 * steps, and its index follows the changes of the state.
 */
export interface StateIndex extends Reads<Document> {
  /**
   * Answers at once if the families of the query are indexed. Otherwise they are indexed first, and then the query of a
   * state that may have changed meanwhile is rejected: it must be repeated in a moment at which the state can be read.
   * @throws RepeatQuery
   */
  list(drive_id: string, query: ListQuery): Promise<Page<Document>>;
  /** @throws RepeatQuery, as for `list` */
  search(drive_id: string, query: SearchQuery): Promise<Page<SearchHit<Document>>>;
  /** Brings the indexes up to date at once, or drops them, so that they hold no text that can no longer be read. */
  refresh(): void;
  /** Indexes the families that another index holds, in small steps. */
  prepareAs(other: StateIndex): Promise<void>;
  /** Names of the indexed families; with true for those with texts. */
  readonly indexed: ReadonlyMap<string, boolean>;
}

/** A query of a state whose families have been indexed just now: the same query can be answered next time. */
export class RepeatQuery extends Error {
  override readonly name = 'RepeatQuery';
}

/** Runs small steps cooperatively. */
export type InTurns = (steps: Iterable<unknown>) => Promise<void>;

/** Keeps a changing state as it is during some work. */
export type Unchanged = (work: () => Promise<void>) => Promise<void>;

/** A read model in the memory of the process: nothing is stored, and every state has an index of its own. */
export interface LocalReadModel {
  readonly durable: false;
  readonly families: readonly string[];
  /** The index over a state that changes between queries, and while families are indexed. */
  over(source: ChangingSource, inTurns: InTurns, unchanged: Unchanged): StateIndex;
  close(): Promise<void>;
}

export type AnyReadModel = ReadModel | LocalReadModel;
