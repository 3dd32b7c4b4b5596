import { matching } from '../../mongodb/regex.js';
import type { Clause } from '../port.js';
import type { Counted } from '../totals.js';
import { type Scope, type StoredEntry, documentId, recordId } from './stored.js';
import { askedTrigrams } from './trigrams.js';

export type Filter = Readonly<Record<string, unknown>>;

/** What a query means of one family's collection. */
export interface Selection {
  /** What the server decides. */
  readonly filter: Filter;
  /** What is left to decide document by document, with `SIFTED` of each; null if nothing is. */
  readonly sift: ((document: StoredEntry) => boolean) | null;
}

/** Fields that `sift` looks at. */
export const SIFTED = { build: 1, fields: 1, filter_text: 1, 'search.text': 1 } as const;

/**
 * Most values that the clauses of one query hand to the server; a query is one message of at most 16 MiB.
 * Conditions beyond are decided here, on documents read in the order of an index.
 */
export const MOST_VALUES = 10_000;

const TEXTS = {
  filter: { text: 'filter_text', trigrams: 'filter_trigrams' },
  search: { text: 'search.text', trigrams: 'search.trigrams' },
} as const;

/** Which of the two texts is looked into. */
export type Kind = keyof typeof TEXTS;

/** Holds for every document of that kind; tombstones have neither field. */
const PRESENT: Record<Kind, Filter> = {
  filter: { created_at: { $gte: -Infinity } },
  search: { 'search.text': { $gt: '' } },
};

/** One of several conditions that must all hold, for the server and for documents at hand. */
interface Condition {
  readonly values: number;
  readonly filter: () => Filter;
  readonly holds: (document: StoredEntry) => boolean;
}

/** Null if nothing can be meant. */
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

/** The trigrams narrow by their index, the expression decides. */
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
