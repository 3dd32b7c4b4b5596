import type { FamilyDefinition, RecordBase } from './record.js';
import * as fc from 'fast-check';
import { atOnce } from './steps.js';
import { UndoLog, type UndoneChanges } from './undo-log.js';
import { Table } from './table.js';

interface Item extends RecordBase {
  readonly owner: string;
  readonly place: string;
  readonly name: string;
  readonly ends: number;
}

const family: FamilyDefinition<Item> = {
  name: 'items',
  defaults: {},
  user_fields: ['owner'],
  indexes: {
    owner: ({ owner }) => owner,
    place: ({ place }) => place || null,
    letters: ({ name }) => [...name],
  },
  pairs: { owner_place: ({ owner, place }) => [owner, place] },
  orders: { name: { index: 'place', text: ({ name }) => name } },
  windows: ({ ends }) => [ends],
};

const OWNERS = ['ann', 'bob', 'cid'];
const PLACES = ['', 'here', 'there'];
const LABELS = ['red', 'blue'];

function made(): { table: Table<Item>; undo_log: UndoLog } {
  const undo_log: UndoLog = new UndoLog(() => [table as unknown as Table<RecordBase>]);
  const table = new Table(family, undo_log);
  return { table, undo_log };
}

/** The results of all queries of a table, except the records themselves. */
function answers({ table, undo_log }: ReturnType<typeof made>) {
  const pair = table.pair('owner_place');
  const places = pair.secondValues(PLACES);
  const paired = (owner: string): Item[] => {
    const found: Item[] = [];
    pair.some(owner, places, (item) => found.push(item) < 0);
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  };
  return {
    owned: OWNERS.map((owner) => [...table.by('owner', owner)].sort()),
    counts: PLACES.map((place) => table.count('place', place)),
    lettered: ['x', 'y'].map((letter) => [...table.by('letters', letter)].sort()),
    paired: OWNERS.map(paired),
    ordered: PLACES.map((place) => Array.from(table.ordered('name', place), ({ id }) => id)),
    held: OWNERS.map((owner) => atOnce(table.findHolders(owner)).toSorted()),
    references: OWNERS.map((owner) => undo_log.referencesTo(owner)),
    pins: LABELS.map((label) => [...undo_log.pins.of(label)].sort()),
  };
}

const anItem: fc.Arbitrary<Item> = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  owner: fc.constantFrom(...OWNERS),
  place: fc.constantFrom(...PLACES),
  name: fc.string({ unit: fc.constantFrom('x', 'y'), minLength: 1, maxLength: 3 }),
  ends: fc.constantFrom(-1, 0, 10, 20),
  label_ids: fc.subarray(LABELS),
});

type Change = { put: Item } | { remove: string } | 'keep' | 'undo';

const aChange: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ put: anItem }),
  fc.record({ remove: fc.constantFrom('1', '2', '3', '4', '5', '6') }),
  fc.constant('keep' as const),
  fc.constant('undo' as const),
);

function apply(change: Change, { table, undo_log }: ReturnType<typeof made>): void {
  if (change === 'keep') undo_log.forget();
  else if (change === 'undo') undo_log.undoTo(0);
  else if ('put' in change) table.put({ ...change.put });
  else table.remove(change.remove);
}

const manyChanges = fc.array(aChange, { minLength: 10, maxLength: 60, size: 'max' });

describe('a table', () => {
  it('answers the same whether an index existed from the start or is built on demand', () => {
    let undone = 0;
    fc.assert(
      fc.property(manyChanges, (changes) => {
        const early = made();
        const late = made();
        answers(early);
        for (const change of changes)
          for (const one of [early, late]) {
            if (change === 'undo') undone += one.undo_log.mark();
            apply(change, one);
          }
        expect(answers(early)).toEqual(answers(late));
      }),
    );
    expect(undone).toBeGreaterThan(0);
  });

  it('is the same after changes were taken back and made again', () => {
    let redone = 0;
    fc.assert(
      fc.property(manyChanges, fc.nat(100), (changes, part) => {
        const one = made();
        answers(one);
        for (const change of changes) apply(change, one);
        const { table, undo_log } = one;
        const all = () => ({
          ...answers(one),
          records: [...table.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          retired: [...undo_log.retiredIds()].sort(),
          changes: undo_log.changesSince(0),
        });
        const before = all();
        const mark = Math.floor((undo_log.mark() * part) / 100);
        redone += undo_log.mark() - mark;
        const undone: UndoneChanges = [];
        undo_log.undoKeeping(mark, undone);
        undo_log.redo(undone, undone.length);
        expect(all()).toEqual(before);
      }),
    );
    expect(redone).toBeGreaterThan(0);
  });

  it('with stored records answers like one into which the records were put', () => {
    let views = 0;
    fc.assert(
      fc.property(manyChanges, fc.array(anItem), (changes, given) => {
        const items = [
          ...new Map(given.map((item) => [item.id, { ...item, revision: -1 }])).values(),
        ];
        const lying = { ...items[0]! };
        const stored = {
          record: (place: number) => ({ ...items[place]! }),
          view: (place: number) => (views++, Object.assign(lying, items[place]!)),
        };
        const ids = items.map(({ id }) => id);
        const [put, filled] = [made(), made()];
        for (const item of items) put.table.put({ ...item });
        put.undo_log.forget();
        for (const _ of filled.table.fill(ids, stored));
        for (const change of changes.slice(0, 5))
          for (const one of [put, filled]) apply(change, one);
        const current = filled.table.currentRecords();
        const records = [...put.table.values()];
        expect(Array.from(filled.table.views(), (item) => ({ ...item }))).toEqual(records);
        for (const change of changes.slice(5)) for (const one of [put, filled]) apply(change, one);
        expect(answers(filled)).toEqual(answers(put));
        expect([...filled.table.values()]).toEqual([...put.table.values()]);
        expect([...current]).toEqual(records);
      }),
    );
    expect(views).toBeGreaterThan(0);
  });

  it('knows the time windows of records added before the first request', () => {
    const { table, undo_log } = made();
    const item = { owner: 'ann', place: '', name: 'x' };
    table.put({ ...item, id: '1', ends: 20 });
    undo_log.edges.pass(15);
    const { epoch } = undo_log.edges;
    table.put({ ...item, id: '2', ends: 30 });
    undo_log.edges.pass(25);
    expect(undo_log.edges.epoch).toBe(epoch + 1);
    undo_log.edges.pass(35);
    expect(undo_log.edges.epoch).toBe(epoch + 2);
  });

  it('names the missing index in its error', () => {
    const { table } = made();
    expect(() => table.by('colour', 'red')).toThrow('family items has no index colour');
    expect(() => table.pair('colours')).toThrow('family items has no pair colours');
    expect(() => table.ordered('size', 'here')).toThrow('family items has no order size');
  });

  it('tells which records have changed since a version, as they were and are', () => {
    const { table, undo_log } = made();
    const item = (id: string, name: string): Item => ({
      ...{ id, owner: 'ann', place: '', name, ends: -1 },
    });
    table.put(item('a', 'one'));
    const version = table.version;
    expect(table.since(version)).toEqual([]);
    const mark = undo_log.mark();
    const names = (from: number) =>
      table.since(from)?.map(({ before, after }) => [before?.name, after?.name]);
    table.put(item('a', 'two'));
    table.put(item('b', 'three'));
    expect(names(version)).toEqual([
      ['one', 'two'],
      [undefined, 'three'],
    ]);
    undo_log.undoTo(mark);
    expect(names(version)).toEqual([]);
    expect(names(version + 2)).toEqual([
      ['three', undefined],
      ['two', 'one'],
    ]);
    expect(names(table.version - 1)).toEqual([['two', 'one']]);
    for (let nth = 0; nth < 1024; nth++) table.put(item(`n${nth}`, `${nth}`));
    expect(table.since(table.version - 1024)).toHaveLength(1024);
    expect(table.since(table.version - 1025)).toBeNull();
    for (let nth = 0; nth < 1024; nth++) table.put(item('a', `${nth}`));
    expect(names(table.version - 1024)).toEqual([['one', '1023']]);
  });

  it('tells which records were replaced since a version, for longer', () => {
    const { table, undo_log } = made();
    const put = (id: string) =>
      table.put({ ...{ id, owner: 'ann', place: '', name: id, ends: -1 } });
    put('a');
    const { version } = table;
    expect(table.changedSince(version)).toEqual(new Set());
    const mark = undo_log.mark();
    put('b');
    put('a');
    undo_log.undoTo(mark);
    expect(table.changedSince(version)).toEqual(new Set(['a', 'b']));
    expect(table.changedSince(version, version + 1)).toEqual(new Set(['b']));
    for (let nth = 0; nth < 8191; nth++) put('c');
    expect(table.changedSince(table.version - 8191)).toEqual(new Set(['c']));
    for (let nth = 0; nth < 16_384; nth++) put('d');
    expect(table.changedSince(version)).toBeNull();
  });
});
