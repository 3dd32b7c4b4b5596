import type { Collection, Filter as MongoFilter } from 'mongodb';

import { compareIds, compareKeys } from '../order.js';
import { type TakenPage, approach, takenPage } from '../page.js';
import type { PageRequest, Position } from '../port.js';
import { type Filter, SIFTED, type Selection } from './selection.js';
import { type Scope, type StoredEntry, documentId, recordId } from './stored.js';

/** Maximum time of one query on the server, in ms. */
const QUERY_WITHIN_MS = 10_000;
const SIFTED_AT_ONCE = 1000;

/** An order of documents: by a field, then by a unique tie-breaker. */
interface Order {
  /** Path; absent if all keys are equal, as within one score. */
  readonly key?: string;
  /** Path of `_id` or of a field derived from it. */
  readonly tie: string;
  readonly keyOf: (document: StoredEntry) => string | number;
  /** The id in a position. */
  readonly idOf: (document: StoredEntry) => string;
  /** The value of `tie` for such an id. */
  readonly tieOf: (scope: Scope, id: string) => string;
}

const tie_by_id = {
  tie: '_id',
  idOf: (document: StoredEntry) => recordId(document, document._id),
  tieOf: documentId,
};

export const BY_CREATION: Order = {
  key: 'created_at',
  keyOf: ({ created_at }) => created_at!,
  ...tie_by_id,
};

export const BY_UPDATE: Order = {
  key: 'search.updated_at',
  keyOf: ({ search }) => search!.updated_at,
  ...tie_by_id,
};

export const BY_TITLE: Order = {
  key: 'search.title_key',
  tie: 'search.digest',
  keyOf: ({ search }) => search!.title_key,
  idOf: ({ search }) => search!.digest,
  tieOf: (_, id) => id,
};

/** Documents of one score. */
export function byScore(score: number): Order {
  return { keyOf: () => score, ...tie_by_id };
}

type Shown = Readonly<Record<string, 1>>;

/** The matches of one family. */
export interface Source {
  readonly family: string;
  readonly scope: Scope;
  readonly collection: Collection<StoredEntry>;
  readonly selection: Selection;
  /** Fields of rows beside their position; an index should cover them all. */
  readonly shown: Shown;
}

/** Matches in one ascending order; several stretches follow each other. `key`: common to all of them. */
export interface Stretch {
  readonly sources: readonly Source[];
  readonly order: Order;
  readonly key?: number;
}

/** A match. */
export interface Row {
  readonly family: string;
  readonly position: Position;
  readonly document: StoredEntry;
}

/** A page of rows, and whether it contains all matches. */
interface Rows extends TakenPage<Row> {
  readonly is_all: boolean;
}

export async function takeRows(stretches: readonly Stretch[], request: PageRequest): Promise<Rows> {
  const way = approach(request);
  const { from, ascending } = way;
  const [walked, others] = await Promise.all([
    walk(stretches, from && { from, includes: false }, ascending, request.page_size + 1),
    // The page begins with the nearest matches, so those before it are at the position or before it.
    from ? walk(stretches, { from, includes: true }, !ascending, 1) : [],
  ]);
  const ahead = walked.length > request.page_size;
  const rows = ahead ? walked.slice(0, -1) : walked;
  const behind = rows.length > 0 && others.length > 0;
  const page = takenPage(way, rows, { ahead, behind }, ({ position }) => position);
  return { ...page, is_all: from === undefined && !ahead };
}

export async function countMatches({ collection, selection }: Source): Promise<number> {
  const { filter, sift } = selection;
  if (sift === null)
    return collection.countDocuments(filter as MongoFilter<StoredEntry>, {
      maxTimeMS: QUERY_WITHIN_MS,
    });
  let count = 0;
  for await (const document of finding(collection, filter, SIFTED, { batchSize: SIFTED_AT_ONCE }))
    if (sift(document)) count += 1;
  return count;
}

/** Start position of a walk, and whether it is included. */
interface Start {
  readonly from: Position;
  readonly includes: boolean;
}

/** The first matches past a start (from either end if undefined), nearest first. */
async function walk(
  stretches: readonly Stretch[],
  begin: Start | undefined,
  ascending: boolean,
  limit: number,
): Promise<Row[]> {
  const sign = ascending ? 1 : -1;
  const from = begin?.from;
  const ahead = stretches.filter(
    ({ key }) => key === undefined || from === undefined || sign * (key - Number(from.key)) >= 0,
  );
  const met = await Promise.all(
    (ascending ? ahead : ahead.toReversed()).map(async (stretch) => {
      const { key, sources, order } = stretch;
      const start = key === undefined || key === from?.key ? begin : undefined;
      const rows = await Promise.all(
        sources.map((source) => walkSource(source, order, start, ascending, limit)),
      );
      return rows.flat().sort((one, other) => sign * compare(one.position, other.position));
    }),
  );
  return met.flat().slice(0, limit);
}

async function walkSource(
  { family, scope, collection, selection, shown }: Source,
  order: Order,
  start: Start | undefined,
  ascending: boolean,
  limit: number,
): Promise<Row[]> {
  const { key, tie } = order;
  const { filter, sift } = selection;
  const direction = ascending ? 1 : -1;
  const cursor = finding(
    collection,
    start === undefined ? filter : { $and: [filter, past(order, scope, start, ascending)] },
    {
      _id: 1,
      build: 1,
      ...shown,
      [tie]: 1,
      ...(key !== undefined && { [key]: 1 }),
      ...(sift && SIFTED),
    },
    // A page is one batch.
    sift ? { batchSize: SIFTED_AT_ONCE } : { limit, batchSize: limit },
  ).sort({ ...(key !== undefined && { [key]: direction }), [tie]: direction });
  const rows: Row[] = [];
  for await (const document of cursor) {
    if (sift !== null && !sift(document)) continue;
    const position = { key: order.keyOf(document), id: order.idOf(document) };
    rows.push({ family, position, document });
    if (rows.length === limit) break;
  }
  return rows;
}

/** Condition for documents beyond a start in an order. */
function past(order: Order, scope: Scope, { from, includes }: Start, ascending: boolean): Filter {
  const [beyond, from_there] = ascending ? (['$gt', '$gte'] as const) : (['$lt', '$lte'] as const);
  const beyond_tie = {
    [order.tie]: { [includes ? from_there : beyond]: order.tieOf(scope, from.id) },
  };
  if (order.key === undefined) return beyond_tie;
  return {
    [order.key]: { [from_there]: from.key },
    $or: [{ [order.key]: { [beyond]: from.key } }, beyond_tie],
  };
}

function finding(
  collection: Collection<StoredEntry>,
  filter: Filter,
  projection: Shown,
  options: { limit?: number; batchSize?: number } = {},
) {
  return collection.find(filter as MongoFilter<StoredEntry>, {
    projection,
    maxTimeMS: QUERY_WITHIN_MS,
    ...options,
  });
}

function compare(one: Position, other: Position): number {
  return compareKeys(one.key, other.key) || compareIds(one.id, other.id);
}
