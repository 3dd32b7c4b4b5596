import { jest } from '@jest/globals';
import fc from 'fast-check';
import { TimeEdges } from './indexes/time-edges.js';
import type { FamilyDefinition, RecordBase } from './record.js';
import { Table } from './table.js';
import { UndoLog, type UndoneChanges } from './undo-log.js';

interface Item extends RecordBase {
  readonly ends: number;
}

const family: FamilyDefinition<Item> = {
  ...{ name: 'items', defaults: {}, user_fields: [] },
  windows: ({ ends }) => [ends],
};

function made(): { table: Table<Item>; undo_log: UndoLog } {
  const undo_log: UndoLog = new UndoLog(() => [table as unknown as Table<RecordBase>]);
  const table = new Table(family, undo_log);
  return { table, undo_log };
}

describe('the edges of records', () => {
  it('are added once, however often their changes are rolled back and made again', () => {
    const { table, undo_log } = made();
    table.put({ id: '1', ends: 50 });
    undo_log.edges.pass(1);
    const add = jest.spyOn(TimeEdges.prototype, 'add');
    const mark = undo_log.mark();
    table.put({ id: '1', ends: 50 });
    undo_log.undoTo(mark);
    expect(add).not.toHaveBeenCalled();
    table.put({ id: '1', ends: 60 });
    for (let times = 0; times < 3; times++) {
      const undone: UndoneChanges = [];
      undo_log.undoKeeping(mark, undone);
      undo_log.redo(undone, 1);
    }
    expect(add.mock.calls).toEqual([[60]]);
    add.mockRestore();
  });

  it('start an epoch after any changes and rollbacks, whenever they are first asked for', () => {
    const put = fc.record({
      id: fc.constantFrom('1', '2', '3'),
      ends: fc.integer({ min: -1, max: 50 }),
    });
    const step = fc.oneof(
      fc.record({ put }),
      fc.record({ remove: fc.constantFrom('1', '2', '3') }),
      fc.record({ undo_to: fc.nat(100) }),
      fc.record({ redo: fc.nat(100) }),
      fc.record({ pass: fc.integer({ min: 1, max: 60 }) }),
      fc.constant('forget' as const),
    );
    let crossed = 0;
    fc.assert(
      fc.property(fc.array(step, { size: 'max', maxLength: 80 }), (steps) => {
        const { table, undo_log } = made();
        let undone: UndoneChanges = [];
        let now: number | null = null;
        let missed = 0;
        for (const one of steps) {
          if (one === 'forget') undo_log.forget();
          else if ('undo_to' in one)
            undo_log.undoKeeping(Math.floor((undo_log.mark() * one.undo_to) / 100), undone);
          else if ('redo' in one)
            undo_log.redo(undone, Math.floor((undone.length * one.redo) / 100));
          else if ('pass' in one) {
            const { epoch } = undo_log.edges;
            const [early, late] = [
              Math.min(now ?? one.pass, one.pass),
              Math.max(now ?? 0, one.pass),
            ];
            undo_log.edges.pass(one.pass);
            const crosses =
              now !== null && [...table.values()].some(({ ends }) => ends > early && ends <= late);
            if (crosses) crossed++;
            if (crosses && undo_log.edges.epoch === epoch) missed++;
            now = one.pass;
          } else {
            undone = [];
            if ('put' in one) table.put({ ...one.put });
            else table.remove(one.remove);
          }
        }
        expect(missed).toBe(0);
      }),
    );
    expect(crossed).toBeGreaterThan(0);
  });
});
