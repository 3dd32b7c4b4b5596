import { foldCase, idDigest, textSortKey } from '../order.js';
import type { Document, Entry, FamilySchema } from '../port.js';

/** Texts of fewer characters (code points) have no trigram. */
const CHARACTERS = 3;

/** Maximum trigrams in one search: they only narrow the result, the text itself decides. */
const MOST_ASKED = 8;

/** All distinct runs of three characters of a folded text. */
function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  const found = new Set<string>();
  for (let at = CHARACTERS; at <= characters.length; at += 1)
    found.add(characters.slice(at - CHARACTERS, at).join(''));
  return [...found];
}

/** Trigrams of every text that contains `text`, spread over it; none if it is too short. */
export function askedTrigrams(text: string): string[] {
  const all = trigramsOf(text);
  if (all.length <= MOST_ASKED) return all;
  const step = (all.length - 1) / (MOST_ASKED - 1);
  return Array.from({ length: MOST_ASKED }, (_, n) => all[Math.round(n * step)]!);
}

/** Scope of the entries of one generation of one drive; every filter begins with both fields. */
export interface Scope {
  readonly drive_id: string;
  /** Unique name of one filling of a generation: see `checkpoints.ts`. */
  readonly build: string;
}

/**
 * An index entry in the collection of its family: it finds a record, but is not the record. A removed record leaves a
 * tombstone (scope, `step` and `gone`, no content) until its generation is swept.
 *
 * Stored in clear are the texts for filters and searches, their trigrams, titles, times and field values (ids).
 * Readers of this database can therefore read names and e-mail addresses, but no credentials, codes or notes that are
 * not searched. When a person is erased, the step of the erasure names every record that showed data of that person,
 * and their entries are rewritten or replaced by tombstones. Generations that a crash left are swept (`LeftOvers`).
 */
export interface StoredEntry {
  /** `build:id`. */
  readonly _id: string;
  readonly drive_id: string;
  readonly build: string;
  /** Revision of the state it was rendered from. Only a later one replaces it. */
  readonly step: number;
  readonly gone?: true;
  /** `Document.revision`. */
  readonly revision?: number;
  /** `Entry.fingerprint`. */
  readonly fingerprint?: string;
  readonly created_at?: number;
  /** Case-folded. */
  readonly filter_text?: string;
  readonly filter_trigrams?: readonly string[];
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  /** Absent if search does not find the record. */
  readonly search?: StoredSearch;
}

interface StoredSearch {
  /** Case-folded, never empty. */
  readonly text: string;
  readonly trigrams: readonly string[];
  /** Case-folded. */
  readonly title: string;
  /** `textSortKey` of the title. */
  readonly title_key: string;
  /** `idDigest` of the id. */
  readonly digest: string;
  readonly updated_at: number;
}

export function documentId({ build }: Pick<Scope, 'build'>, id: string): string {
  return `${build}:${id}`;
}

/** The stored ids of a filling; `;` follows on `:`. */
export function idsOf({ build }: Pick<Scope, 'build'>) {
  return { $gte: `${build}:`, $lt: `${build};` };
}

export function recordId({ build }: Pick<Scope, 'build'>, document_id: string): string {
  return document_id.slice(build.length + 1);
}

export function storedEntry(
  schema: FamilySchema,
  scope: Scope,
  step: number,
  { id, revision, record }: Document,
  fingerprint: string,
): StoredEntry {
  const filter_text = foldCase(schema.filter_text(record));
  const fields: Record<string, string | readonly string[]> = {};
  for (const field in schema.fields) fields[field] = schema.fields[field]!(record);
  const search = storedSearch(schema, id, record);
  return {
    ...tombstoneBase(scope, step, id),
    revision,
    fingerprint,
    created_at: schema.created_at(record),
    filter_text,
    filter_trigrams: trigramsOf(filter_text),
    fields,
    ...(search && { search }),
  };
}

export function tombstone(scope: Scope, step: number, id: string): StoredEntry {
  return { ...tombstoneBase(scope, step, id), gone: true };
}

/** The fields that `entryOf` reads. */
export const ENTRY = { build: 1, revision: 1, fingerprint: 1 } as const;

/** Null for a tombstone. */
export function entryOf(family: string, stored: StoredEntry): Entry | null {
  const { _id, revision, fingerprint } = stored;
  if (revision === undefined || fingerprint === undefined) return null;
  return { family, id: recordId(stored, _id), revision, fingerprint };
}

function tombstoneBase(scope: Scope, step: number, id: string) {
  const { drive_id, build } = scope;
  return { _id: documentId(scope, id), drive_id, build, step };
}

function storedSearch(
  { search }: FamilySchema,
  id: string,
  record: object,
): StoredSearch | undefined {
  if (search === undefined || search.includes?.(record) === false) return undefined;
  const text = foldCase(search.text(record));
  if (text === '') return undefined;
  const title = search.title(record);
  return {
    text,
    trigrams: trigramsOf(text),
    title: foldCase(title),
    title_key: textSortKey(title),
    digest: idDigest(id),
    updated_at: search.updated_at(record),
  };
}
