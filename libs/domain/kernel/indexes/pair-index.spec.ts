import fc from 'fast-check';
import { PairIndex } from './pair-index.js';

interface Row {
  readonly id: string;
  readonly first: string;
  readonly second: string;
  /** Distinguishes a record from its former version. */
  readonly version: number;
}

const FIRSTS = ['a', 'b'];
const SECONDS = ['x', 'y', 'z'];

describe('PairIndex', () => {
  it('finds the same as a scan of all rows after any changes, and knows only values in use', () => {
    const step = fc.record({
      id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
      first: fc.constantFrom(...FIRSTS),
      second: fc.constantFrom(...SECONDS),
      deletes: fc.boolean(),
    });
    const steps = fc.array(step, { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(steps, fc.subarray(SECONDS), (taken, wanted) => {
        const index = new PairIndex<Row>();
        const rows = new Map<string, Row>();
        let kept = index.secondValues(wanted);
        taken.forEach(({ id, first, second, deletes }, version) => {
          const before = rows.get(id);
          const stays = !deletes && before?.first === first && before.second === second;
          if (before && !stays) index.delete(before.first, before.second, id);
          rows.delete(id);
          if (deletes) return;
          const row = { id, first, second, version };
          rows.set(id, row);
          index.add(first, second, row);
          if (kept.known_values !== index.known_values) kept = index.secondValues(wanted);
        });
        const in_use = new Set([...rows.values()].map(({ second }) => second));
        expect(index.secondValues(SECONDS).numbers.size).toBe(in_use.size);
        for (const first of FIRSTS) {
          const found: Row[] = [];
          index.some(first, kept, (row) => !found.push(row));
          const expected = [...rows.values()].filter(
            (row) => row.first === first && wanted.includes(row.second),
          );
          expect(new Set(found)).toEqual(new Set(expected));
          expect(found).toHaveLength(expected.length);
        }
      }),
    );
  });

  it('ends the search when a visit returns true', () => {
    const index = new PairIndex<{ id: string }>();
    for (const id of ['1', '2', '3']) index.add('a', 'x', { id });
    const met: string[] = [];
    expect(index.some('a', index.secondValues(['x']), ({ id }) => met.push(id) === 2)).toBe(true);
    expect(met).toEqual(['1', '2']);
  });
});
