import { foldCase, idDigest, textSortKey } from '../order.js';
import type { Document, FamilySchema } from '../port.js';
import { trigramsOf } from './trigrams.js';

/** Where documents of one generation of one drive lie; every filter begins with both. */
export interface Scope {
  readonly drive_id: string;
  /** Name of one filling of a generation, which no other has had: see `checkpoints.ts`. */
  readonly build: string;
}

/**
 * A document in the collection of its family. A removed record leaves a tombstone: scope, `step` and
 * `gone`, nothing of what it said, until its generation is swept.
 *
 * In clear stand: the record as rendered, so with its personal and secret fields opened, and the texts,
 * trigrams, names and field values that are derived from it. Whoever reads this database reads those.
 * When a person is erased, the step that holds the erasure names every record that showed something of
 * that person, and this rewrites (or buries) their documents whole; nothing else keeps a copy.
 */
export interface StoredDocument {
  /** `build:id`. */
  readonly _id: string;
  readonly drive_id: string;
  readonly build: string;
  /** Revision of the state it was rendered from. Only a later one takes its place. */
  readonly step: number;
  readonly gone?: true;
  /** `Document.revision`. */
  readonly revision?: number;
  /** The record as JSON text, so that it comes back as it was, with its keys in order. */
  readonly record?: string;
  /** All its keys, if some have no value: JSON text leaves those out. */
  readonly keys?: readonly string[];
  readonly created_at?: number;
  /** Case-folded. */
  readonly filter_text?: string;
  readonly filter_trigrams?: readonly string[];
  readonly fields?: Readonly<Record<string, string | readonly string[]>>;
  /** Absent where search does not find the record. */
  readonly search?: StoredSearch;
}

export interface StoredSearch {
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

export function storedDocument(
  schema: FamilySchema,
  scope: Scope,
  step: number,
  { id, revision, record }: Document,
): StoredDocument {
  const filter_text = foldCase(schema.filter_text(record));
  const fields: Record<string, string | readonly string[]> = {};
  for (const field in schema.fields) fields[field] = schema.fields[field]!(record);
  const keys = Object.keys(record);
  const search = storedSearch(schema, id, record);
  return {
    ...tombstoneBase(scope, step, id),
    revision,
    record: JSON.stringify(record),
    ...(Object.values(record).includes(undefined) && { keys }),
    created_at: schema.created_at(record),
    filter_text,
    filter_trigrams: trigramsOf(filter_text),
    fields,
    ...(search && { search }),
  };
}

export function tombstone(scope: Scope, step: number, id: string): StoredDocument {
  return { ...tombstoneBase(scope, step, id), gone: true };
}

/** The document as it was given; null for a tombstone. */
export function documentOf(family: string, stored: StoredDocument): Document | null {
  if (stored.record === undefined) return null;
  const parsed = JSON.parse(stored.record) as Record<string, unknown>;
  const record = stored.keys
    ? Object.fromEntries(stored.keys.map((key) => [key, parsed[key]]))
    : parsed;
  return { family, id: recordId(stored, stored._id), revision: stored.revision!, record };
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
