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
const lines = fc.array(text, { maxLength: 3 });
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
        const texts = new JoinedTexts(
          table,
          ({ lines: own }) => own,
          () => table.values(),
        );
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
});
