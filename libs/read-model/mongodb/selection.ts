import { matching } from '../../mongodb/regex.js';
import type { Clause } from '../port.js';
import type { Counted } from '../totals.js';
import { type Scope, type StoredEntry, askedTrigrams, documentId, recordId } from './stored.js';

export type Filter = Readonly<Record<string, unknown>>;

/** A query's conditions for one family's collection. */
export interface Selection {
  /** Conditions for the server. */
  readonly filter: Filter;
  /** Conditions to be evaluated here on each document's `SIFTED` fields; null if there are none. */
  readonly sift: ((document: StoredEntry) => boolean) | null;
}

/** Fields that `sift` reads. */
export const SIFTED = { build: 1, fields: 1, filter_text: 1, 'search.text': 1 } as const;

/**
 * Maximum values of clauses in one query to the server; a query is one message of at most 16 MiB. Further conditions
 * are evaluated here, on documents read in index order.
 */
export const MOST_VALUES = 10_000;

const TEXTS = {
  filter: { text: 'filter_text', trigrams: 'filter_trigrams' },
  search: { text: 'search.text', trigrams: 'search.trigrams' },
} as const;

/** The text that is searched. */
export type Kind = keyof typeof TEXTS;

/** Matches every document of that kind; tombstones have neither field. */
const PRESENT: Record<Kind, Filter> = {
  filter: { created_at: { $gte: -Infinity } },
  search: { 'search.text': { $gt: '' } },
};

/** One of several conditions that must all hold, for the server and for documents in memory. */
interface Condition {
  readonly values: number;
  readonly filter: () => Filter;
  readonly holds: (document: StoredEntry) => boolean;
}

/** Null if nothing can match. */
export function select(
  scope: Scope,
  kind: Kind,
  wanted: Counted,
  most_values: number,
): Selection | null {
  const conditions = conditionsOf(scope, kind, wanted);
  if (conditions === null) return null;
  const { drive_id, build } = scope;
  const asked: Filter[] = [{ drive_id, build }, PRESENT[kind]];
  const sifted: Condition[] = [];
  let values = 0;
  for (const condition of conditions.toSorted((one, other) => one.values - other.values)) {
    values += condition.values;
    if (values > most_values) sifted.push(condition);
    else asked.push(condition.filter());
  }
  return {
    filter: { $and: asked },
    sift: sifted.length === 0 ? null : (document) => sifted.every(({ holds }) => holds(document)),
  };
}

function conditionsOf(
  scope: Scope,
  kind: Kind,
  { text, or, where, visible }: Counted,
): Condition[] | null {
  const conditions = where.map((clause) => anyOf(scope, [clause]));
  if (visible !== 'all') conditions.push(anyOf(scope, visible));
  if (conditions.some(({ values }) => values === 0)) return null;
  if (text !== '') conditions.push(textOr(scope, kind, text, or));
  return conditions;
}

function anyOf(scope: Scope, clauses: readonly Clause[]): Condition {
  const filled = clauses.filter(({ among }) => among.size > 0);
  return {
    values: filled.reduce((sum, { among }) => sum + among.size, 0),
    filter: () => either(filled.map((clause) => clauseFilter(scope, clause))),
    holds: (document) => filled.some((clause) => isMet(clause, document)),
  };
}

function textOr(scope: Scope, kind: Kind, text: string, or: readonly Clause[]): Condition {
  const others = anyOf(scope, or);
  const contained = contains(kind, text);
  return {
    values: others.values,
    filter: () => (others.values === 0 ? contained : { $or: [contained, others.filter()] }),
    holds: (document) => textOf(kind, document).includes(text) || others.holds(document),
  };
}

function clauseFilter(scope: Scope, { field, among }: Clause): Filter {
  const values = [...among];
  if (field === 'id') return { _id: { $in: values.map((id) => documentId(scope, id)) } };
  return { [`fields.${field}`]: { $in: values } };
}

function isMet({ field, among }: Clause, document: StoredEntry): boolean {
  if (field === 'id') return among.has(recordId(document, document._id));
  const value = document.fields?.[field] ?? [];
  return typeof value === 'string' ? among.has(value) : value.some((one) => among.has(one));
}

function either(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? filters[0]! : { $or: filters };
}

/** The trigrams narrow the result through their index, the expression decides. */
function contains(kind: Kind, text: string): Filter {
  const paths = TEXTS[kind];
  const trigrams = askedTrigrams(text);
  return {
    [paths.text]: { $regex: matching(text) },
    ...(trigrams.length > 0 && { [paths.trigrams]: { $all: trigrams } }),
  };
}

function textOf(kind: Kind, { filter_text, search }: StoredEntry): string {
  return (kind === 'filter' ? filter_text : search?.text) ?? '';
}
