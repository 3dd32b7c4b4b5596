import { createHash } from 'node:crypto';

import type { Clause, ListQuery, PageRequest, Position, SearchQuery, Visibility } from '../port.js';
import type { Thing } from './fixtures.contract.js';

/**
 * What the answers must be, by filtering and sorting arrays and nothing else. It shares no code with the
 * adapters, not even the order helpers.
 */

interface Row {
  readonly family: string;
  readonly thing: Thing;
}

interface Placed extends Row {
  readonly position: Position;
  readonly score?: number;
}

export interface SlowPage {
  readonly items: readonly (readonly [family: string, id: string, score?: number])[];
  readonly total: number;
  readonly before: Position | null;
  readonly after: Position | null;
}

export class SlowModel {
  private rows: Row[] = [];

  put(family: string, thing: Thing): void {
    this.remove(family, thing.id);
    this.rows.push({ family, thing });
  }

  remove(family: string, id: string): void {
    this.rows = this.rows.filter((row) => row.family !== family || row.thing.id !== id);
  }

  list(query: ListQuery): SlowPage {
    const matches = this.rows
      .filter(({ family }) => family === query.family)
      .filter(({ thing }) => (query.where ?? []).every((clause) => holds(clause, thing)))
      .filter(({ thing }) => isVisible(query.visible, thing))
      .filter((row) => passesFilter(query, row))
      .map((row) => ({ ...row, position: { key: row.thing.created_at, id: row.thing.id } }));
    return pageOf(matches, query);
  }

  search(query: SearchQuery): SlowPage {
    const text = folded(query.text);
    const matches = this.rows
      .filter(({ family, thing }) =>
        query.families.some((one) => one.family === family && isVisible(one.visible, thing)),
      )
      .filter(({ family, thing }) => family !== 'things' || !thing.hidden)
      .filter((row) => isFound(query, row, text))
      .map((row) => ({ ...row, score: scoreOf(folded(row.thing.name), text) }))
      .map((row) => ({ ...row, position: searchPosition(query, row.thing, row.score) }));
    return pageOf(matches, query);
  }
}

function holds({ field, among }: Clause, thing: Thing): boolean {
  const value = thing[field as 'id' | 'color' | 'tags'];
  return typeof value === 'string' ? among.has(value) : value.some((one) => among.has(one));
}

function isVisible(visible: Visibility, thing: Thing): boolean {
  return visible === 'all' || visible.some((clause) => holds(clause, thing));
}

function passesFilter({ filter }: ListQuery, { family, thing }: Row): boolean {
  if (filter === undefined) return true;
  const text = family === 'things' ? `${thing.name}\t${thing.id}` : thing.name;
  if (folded(text).includes(folded(filter.text))) return true;
  return (filter.or ?? []).some((clause) => holds(clause, thing));
}

function isFound({ families }: SearchQuery, row: Row, text: string): boolean {
  const { or = [], instead } = families.find(({ family }) => family === row.family)!;
  const searched = folded(searchText(row));
  if (searched === '') return false;
  if (instead) return holds(instead, row.thing);
  return searched.includes(text) || or.some((clause) => holds(clause, row.thing));
}

function searchText({ family, thing }: Row): string {
  return family === 'things' ? `${thing.name}\t${thing.note}` : `${thing.note}${thing.name}`;
}

/** In lower case, one sigma wherever it stands. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function scoreOf(title: string, text: string): number {
  if (title === text) return 1;
  if (title.startsWith(text)) return 0.75;
  return title.includes(text) ? 0.5 : 0.25;
}

function searchPosition({ order }: SearchQuery, thing: Thing, score: number): Position {
  if (order === 'CREATED_AT') return { key: thing.created_at, id: thing.id };
  if (order === 'UPDATED_AT') return { key: thing.updated_at, id: thing.id };
  if (order === 'SCORE') return { key: score, id: thing.id };
  const digest = createHash('sha256').update(thing.id).digest('hex').slice(0, 32);
  return { key: first90Bytes(folded(thing.name)), id: digest };
}

/** Drops code points from the end until the rest fits. */
function first90Bytes(text: string): string {
  const points = Array.from(text);
  while (Buffer.byteLength(points.join('')) > 90) points.pop();
  return points.join('');
}

function compare(left: Position, right: Position): number {
  const by_key =
    typeof left.key === 'number'
      ? left.key - Number(right.key)
      : Buffer.compare(Buffer.from(left.key), Buffer.from(String(right.key)));
  return by_key || Buffer.compare(Buffer.from(left.id), Buffer.from(right.id));
}

function pageOf(matches: readonly Placed[], request: PageRequest): SlowPage {
  const sign = request.direction === 'ASC' ? 1 : -1;
  const sorted = matches.toSorted((left, right) => sign * compare(left.position, right.position));
  const { after, before } = request;
  let page: Placed[];
  if (after !== undefined) {
    const following = sorted.filter((row) => sign * compare(row.position, after) > 0);
    page = following.slice(0, request.page_size);
  } else if (before !== undefined) {
    const preceding = sorted.filter((row) => sign * compare(row.position, before) < 0);
    page = preceding.slice(-request.page_size);
  } else {
    page = sorted.slice(0, request.page_size);
  }
  const first = page[0]?.position ?? null;
  const last = page.at(-1)?.position ?? null;
  return {
    items: page.map(({ family, thing, score }) =>
      score === undefined ? [family, thing.id] : [family, thing.id, score],
    ),
    total: matches.length,
    before: first !== null && sorted[0]?.position !== first ? first : null,
    after: last !== null && sorted.at(-1)?.position !== last ? last : null,
  };
}
