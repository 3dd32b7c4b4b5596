import { isDeepStrictEqual } from 'node:util';
import type { Id, World } from '../world.js';

/** One read and what the contract says of its answer. */
export interface Look {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  /** Several where the contract does not decide. */
  readonly statuses: readonly number[];
  /** Differences of a success; one line each. */
  readonly differences?: (data: any) => string[];
}

/** Who looks, and at what. */
export interface Viewer {
  readonly world: World;
  readonly user: Id;
  readonly now: number;
}

/** Fields of a record as somebody sees it. */
export type Shown = Readonly<Record<string, unknown>>;

/** A field that may hold anything but the empty forms. */
export const PRESENT = Symbol('present');
/** README.md, section 4: "Redacted values take the same empty form", null or `""`. */
export const EMPTY = Symbol('empty');

/** A field with these ids in any order; `of` names the member that holds the id. */
export class Ids {
  constructor(
    readonly ids: readonly Id[],
    readonly of?: string,
  ) {}
}

/** A field that may hold anything but this. */
export class Hidden {
  constructor(readonly value: unknown) {}
}

export function hidden(may_see: boolean, value: unknown = PRESENT): unknown {
  return may_see ? value : EMPTY;
}

export function differencesOf(expected: Shown, actual: any): string[] {
  return Object.entries(expected)
    .filter(([field, value]) => !isAsExpected(value, actual?.[field]))
    .map(([field, value]) => `${field}: expected ${show(value)}, got ${show(actual?.[field])}`);
}

function isAsExpected(expected: unknown, actual: any): boolean {
  const is_empty = actual === null || actual === '' || actual === undefined;
  if (expected === PRESENT) return !is_empty;
  if (expected === EMPTY) return is_empty;
  if (expected instanceof Hidden) return actual !== expected.value;
  if (expected instanceof Ids) {
    const { of } = expected;
    const ids = of === undefined ? actual : actual.map((entry: any) => entry[of]);
    return isDeepStrictEqual([...ids].sort(), [...expected.ids].sort());
  }
  return isDeepStrictEqual(actual, expected);
}

function show(value: unknown): string {
  return typeof value === 'symbol' ? String(value) : JSON.stringify(value);
}

/** A list of records: which, how many, and each as it is shown. */
export function listed(shown: ReadonlyMap<Id, Shown>, path: string, body: object = {}): Look {
  return {
    method: 'POST',
    path,
    body: { page_size: 1000, ...body },
    statuses: [200],
    differences: (data) => [
      ...differencesOf({ total: shown.size }, data),
      ...itemDifferences(shown, data.items),
    ],
  };
}

export function itemDifferences(shown: ReadonlyMap<Id, Shown>, items: any[]): string[] {
  return [
    ...differencesOf({ items: new Ids([...shown.keys()], 'id') }, { items }),
    ...items.flatMap((item) =>
      differencesOf(shown.get(item.id) ?? {}, item).map((line) => `${item.id} ${line}`),
    ),
  ];
}

/** A single record. */
export function got(path: string, status: number, shown: () => Shown): Look {
  return {
    method: 'GET',
    path,
    statuses: [status],
    differences: (data) => differencesOf(shown(), data),
  };
}

export function visible<R extends { id: Id }>(
  table: ReadonlyMap<Id, R>,
  may_see: (record: R) => boolean,
  shown: (record: R) => Shown,
): Map<Id, Shown> {
  return new Map([...table.values()].filter(may_see).map((record) => [record.id, shown(record)]));
}
