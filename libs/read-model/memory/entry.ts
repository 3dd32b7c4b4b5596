import { compareIds, idDigest } from '../order.js';
import type { Document, FamilySchema, Position } from '../port.js';

export type FieldValue = string | readonly string[];

/**
 * The indexed values of a document: sufficient to find and order it, and to remove it after the source has changed.
 */
export interface Entry {
  readonly id: string;
  readonly created_at: number;
  /** In the order of the schema's fields. */
  readonly values: readonly FieldValue[];
  /** Small unique number among the entries of the family; reused after removal. */
  readonly slot: number;
  /** Computed on first use. */
  digest: string | null;
}

export function entryOf(schema: FamilySchema, { id, record }: Document, slot: number): Entry {
  const values: FieldValue[] = [];
  for (const field in schema.fields) values.push(schema.fields[field]!(record));
  return { id, created_at: schema.created_at(record), values, slot, digest: null };
}

/** True for entries of one record that are found and ordered alike. */
export function isAlike(one: Entry, other: Entry): boolean {
  if (one.created_at !== other.created_at) return false;
  return one.values.every((value, at) => isSame(value, other.values[at]!));
}

function isSame(one: FieldValue, other: FieldValue): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

export function digestOf(entry: Entry): string {
  entry.digest ??= idDigest(entry.id);
  return entry.digest;
}

/** Position in the order of lists. */
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
