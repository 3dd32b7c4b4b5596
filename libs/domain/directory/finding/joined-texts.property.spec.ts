import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { FamilyDefinition, RecordBase } from '../../kernel/record.js';
import { Table } from '../../kernel/table.js';
import { UndoLog } from '../../kernel/undo-log.js';
import { JoinedTexts } from './joined-texts.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);

interface Note extends RecordBase {
  readonly lines: readonly string[];
}
const family: FamilyDefinition<Note> = { name: 'notes', defaults: {}, user_fields: [] };

const IDS = ['a', 'b', 'c', 'd'];
/** Few characters, among them the one that the texts are joined with. */
const text = fc.string({ unit: fc.constantFrom('x', 'y', '\0'), minLength: 1, maxLength: 4 });
const long_text = text.map((end) => `${'-'.repeat(1000)}${end}`);
const lines = fc.array(fc.oneof({ weight: 5, arbitrary: text }, long_text), { maxLength: 3 });
const change = fc.record({
  id: fc.constantFrom(...IDS),
  lines: fc.option(lines),
  times: fc.constantFrom(1, 1, 1, 1, 9_000),
});
const isFoundHere = fc.boolean();

function given() {
  const undo_log: UndoLog = new UndoLog(() => [table as unknown as Table<RecordBase>]);
  const table = new Table(family, undo_log);
  return { table, undo_log };
}

describe('joined texts', () => {
  it('find what each record says, after any changes', () => {
    const steps = fc.array(fc.tuple(change, isFoundHere, text), { maxLength: 30 });
    fc.assert(
      fc.property(steps, (all) => {
        const { table, undo_log } = given();
        const texts = textsOf(table);
        for (const [{ id, lines: own, times }, is_found_here, sought] of all) {
          for (let nth = 0; nth < times; nth++)
            if (own) table.put({ id, lines: own });
            else table.remove(id);
          undo_log.forget();
          if (!is_found_here) continue;
          const idsWhere = (isMeant: (line: string) => boolean) =>
            IDS.filter((one) => table.get(one)?.lines.some(isMeant));
          expect([...new Set(texts.idsWith(sought))].sort()).toEqual(
            idsWhere((line) => line.includes(sought)),
          );
          expect([...new Set(texts.idsBeginning(sought))].sort()).toEqual(
            idsWhere((line) => line.startsWith(sought)),
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('are joined again after many changes only', () => {
    const { table } = given();
    for (let nth = 0; nth < 3000; nth++) table.put({ id: `${nth}`, lines: ['x'] });
    let joins = 0;
    const texts = new JoinedTexts(
      table,
      ({ lines: own }) => own,
      () => {
        joins++;
        return table.values();
      },
    );
    const count = () => [...texts.idsWith('x')].length;
    expect(count()).toBe(3000);
    for (let nth = 0; nth < 1024; nth++) {
      table.remove(`${nth}`);
      count();
    }
    expect([count(), joins]).toEqual([1976, 1]);
    table.remove('2000');
    expect([count(), joins]).toEqual([1975, 2]);
  });

  it('are found in several parts, none of which has all', () => {
    const { table } = given();
    const ids = Array.from({ length: 6_000 }, (_, nth) => `${nth}`);
    for (const id of ids) table.put({ id, lines: ['-'.repeat(900), `X${id}`] });
    const joined = jest.spyOn(Array.prototype, 'join');
    const texts = textsOf(table);
    expect([...texts.idsWith('x')]).toEqual(ids);
    const lengths = joined.mock.results.map(({ value }) => String(value).length);
    joined.mockRestore();
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(2 ** 21 + 2_000);
    expect([...texts.idsBeginning('x5999')]).toEqual(['5999']);
    expect([...texts.idsBeginning('-')]).toEqual(ids);
  });

  it('are not joined if they are long: together they may exceed the length of a string', () => {
    const { table } = given();
    const long = 'Z'.repeat(2 ** 20);
    for (let nth = 0; nth < 600; nth++) table.put({ id: `${nth}`, lines: [long] });
    table.put({ id: 'short', lines: ['Xy'] });
    const texts = textsOf(table);
    expect([...texts.idsWith('xy')]).toEqual(['short']);
    table.put({ id: '599', lines: [`${long}xY`] });
    expect([...texts.idsWith('xy')]).toEqual(['short', '599']);
  });

  it('are joined by the next search if joining failed', () => {
    const { table } = given();
    table.put({ id: 'a', lines: ['x'] });
    const holders = jest.fn(() => table.values());
    holders.mockImplementationOnce(() => {
      throw new Error('out of memory');
    });
    const texts = new JoinedTexts(table, ({ lines: own }) => own, holders);
    expect(() => [...texts.idsWith('x')]).toThrow('out of memory');
    expect([...texts.idsWith('x')]).toEqual(['a']);
  });
});

function textsOf(table: Table<Note>): JoinedTexts<Note> {
  return new JoinedTexts(
    table,
    ({ lines: own }) => own,
    () => table.values(),
  );
}
