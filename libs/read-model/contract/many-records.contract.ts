import * as fc from 'fast-check';

import type { PageRequest, Visibility } from '../port.js';
import {
  aThing,
  type Change,
  clause,
  type ContractCase,
  modelCase,
  TestDrive,
  type Thing,
} from './fixtures.contract.js';
import { compare } from './property.contract.js';
import { SlowModel } from './slow-model.contract.js';

const IDS = 200;
const idOf = (n: number): string => `t${String(n).padStart(3, '0')}`;
const id = fc.nat(IDS - 1).map(idOf);
const color = fc.constantFrom('red', 'green', 'blue');
const syllables = fc.constantFrom('ka', 'lo', 'Mi', 'ner', 'é', ' ', '7');
const words = fc
  .array(syllables, { minLength: 1, maxLength: 5, size: 'max' })
  .map((all) => all.join(''));
const time = fc.nat(60);

const fields = fc.record({
  name: words,
  note: words,
  color,
  hidden: fc.nat(9).map((n) => n === 0),
  updated_at: time,
}) satisfies fc.Arbitrary<Partial<Thing>>;
const first = fc.array(fields, { minLength: 100, maxLength: IDS, size: 'max' });
const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(id, fields, time)
      .map(([of, rest, created_at]): Change => ({ put: aThing(of, { ...rest, created_at }) })),
  },
  { weight: 1, arbitrary: id.map((of): Change => ({ remove: of })) },
);
const visible: fc.Arbitrary<Visibility> = fc.oneof(
  fc.constant('all' as const),
  color.map((of) => [clause('color', of)]),
  fc
    .tuple(color, fc.array(id, { maxLength: 9 }))
    .map(([of, ids]) => [clause('color', of), clause('id', ...ids)]),
);
const page: fc.Arbitrary<PageRequest> = fc
  .record({
    direction: fc.constantFrom('ASC' as const, 'DESC' as const),
    page_size: fc.integer({ min: 1, max: 30 }),
    side: fc.constantFrom('after', 'before', null),
    position: fc.record({ key: time, id }),
  })
  .map(({ direction, page_size, side, position }) => ({
    direction,
    page_size,
    ...(side && { [side]: position }),
  }));
const question = fc.record({
  text: words,
  visible,
  page,
  order: fc.constantFrom('CREATED_AT' as const, 'UPDATED_AT' as const),
  or: fc.array(
    color.map((of) => clause('color', of)),
    { maxLength: 1 },
  ),
});
const histories = fc.record({
  first,
  rounds: fc.array(
    fc.record({
      changes: fc.array(change, { maxLength: 60, size: 'max' }),
      questions: fc.array(question, { minLength: 1, maxLength: 6, size: 'max' }),
    }),
    { minLength: 1, maxLength: 4, size: 'max' },
  ),
});

/**
 * As `agreesWithSlowModel`, with so many records that an adapter may have them in several parts, and with positions
 * anywhere among them.
 */
export function agreesWithManyRecords(numRuns: number): ContractCase {
  return modelCase('any queries of many records agree with filtering and sorting', (model) =>
    fc.assert(
      fc.asyncProperty(histories, async ({ first: records, rounds }) => {
        const things = records.map((rest, n) => aThing(idOf(n), { ...rest, created_at: n / 4 }));
        const drive = await TestDrive.open(model, things);
        const slow = new SlowModel();
        for (const one of things) slow.put('things', one);
        for (const { changes, questions } of rounds) {
          if (changes.length > 0) await drive.change(...changes);
          for (const one of changes) {
            if ('put' in one) slow.put('things', one.put);
            else slow.remove('things', one.remove);
          }
          for (const { text, visible: seen, page: asked, order, or } of questions) {
            const families = [{ family: 'things', visible: seen, or }];
            const search = { ...asked, text, order, families };
            const found = await model.search(drive.id, search);
            compare(found, slow.search(search), drive.revision, ({ document, score }) => [
              document.family,
              document.id,
              score,
            ]);
            const list = { ...asked, family: 'things', visible: seen, filter: { text, or } };
            const listed = await model.list(drive.id, list);
            compare(listed, slow.list(list), drive.revision, (item) => [item.family, item.id]);
          }
        }
        await model.forget(drive.id);
      }),
      // Shrinking so many records takes minutes.
      { numRuns, endOnFailure: true },
    ),
  );
}
