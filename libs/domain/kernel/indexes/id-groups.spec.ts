import * as fc from 'fast-check';
import type { FamilyDefinition, RecordBase } from '../record.js';
import { Table } from '../table.js';
import { UndoLog } from '../undo-log.js';

const family: FamilyDefinition<RecordBase> = {
  name: 'items',
  prefix: 'ItemID_',
  defaults: {},
  user_fields: [],
};

const id = fc
  .tuple(fc.constantFrom('a', 'ab', 'abc', 'abd', 'b00'), fc.constantFrom('', '1', '2', '3'))
  .map((parts) => `ItemID_${parts.join('')}`);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ put: id }) },
  { weight: 3, arbitrary: fc.record({ remove: id }) },
  { weight: 1, arbitrary: fc.record({ undone: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ many: fc.constant(2_000) }) },
);

it('the ids of a table in groups follow its changes, also taken back and very many', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const undo_log: UndoLog = new UndoLog(() => [table]);
      const table: Table<RecordBase> = new Table(family, undo_log);
      const marks = [0];
      for (const taken of steps) {
        marks.push(undo_log.mark());
        if ('put' in taken) table.put({ id: taken.put });
        else if ('remove' in taken) table.remove(taken.remove);
        else if ('undone' in taken) undo_log.undoTo(marks.at(-1 - taken.undone) ?? 0);
        else for (let nth = 0; nth < taken.many; nth++) table.put({ id: 'ItemID_abc1' });
        const groups = table.id_groups;
        const ids = groups.flatMap((group) => [...group.ids].sort());
        expect(ids).toEqual([...table.ids()].sort());
        for (const { start, ids: of_group } of groups)
          expect([...of_group].every((one) => one.startsWith(start))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
