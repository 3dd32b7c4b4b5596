import { compareIds, foldCase, idDigest, textSortKey } from '../order.js';
import type { Document, FamilySchema, Position } from '../port.js';

export type FieldValue = string | readonly string[];

/** What search orders by. */
export interface SearchFacts {
  /** Case-folded. */
  readonly title: string;
  readonly title_key: string;
  readonly updated_at: number;
}

/**
 * What the index remembers of a document: enough to find and order it, and to take it out again after
 * the source has begun to show something newer.
 */
export interface Entry {
  readonly id: string;
  readonly created_at: number;
  /** In the order of the schema's fields. */
  readonly values: readonly FieldValue[];
  /** Null for what search leaves out. */
  readonly search: SearchFacts | null;
  /** Computed when an order first needs it. */
  digest: string | null;
}

/** Reads an entry from a document. */
export function entryOf(schema: FamilySchema, { id, record }: Document): Entry {
  return {
    id,
    created_at: schema.created_at(record),
    values: Object.values(schema.fields).map((read) => read(record)),
    search: searchFacts(schema, record),
    digest: null,
  };
}

function searchFacts({ search }: FamilySchema, record: object): SearchFacts | null {
  if (search === undefined || search.includes?.(record) === false) return null;
  const title = foldCase(search.title(record));
  const key = textSortKey(title);
  // Two equal strings would be held as two; most titles are their own key.
  return {
    title,
    title_key: key === title ? title : key,
    updated_at: search.updated_at(record),
  };
}

export function digestOf(entry: Entry): string {
  entry.digest ??= idDigest(entry.id);
  return entry.digest;
}

/** Place in the order of lists. */
export interface Place {
  readonly created_at: number;
  readonly id: string;
}

export function comparePlaces(left: Place, right: Place): number {
  return left.created_at - right.created_at || compareIds(left.id, right.id);
}

export function placeAt(position: Position): Place {
  return { created_at: Number(position.key), id: position.id };
}

export function positionOf(place: Place): Position {
  return { key: place.created_at, id: place.id };
}
