import { jest } from '@jest/globals';
import * as fc from 'fast-check';

import { TextIndex, type TextKind } from './text-index.js';

/** Characters that share a code with another one (é and \u0169, \0 and \u0080) among them. */
const words = fc
  .array(
    fc.constantFrom('ab', 'cd', 'ba', 'é', '\u0169', '中', '𝒳', ' ', '\n', '\0', '\u0080', '1'),
    { maxLength: 5, size: 'max' },
  )
  .map((pieces) => pieces.join(''));

/** The search text begins with the filter text, or not. */
const texts = fc
  .tuple(words, words, fc.nat(3))
  .map(([filter, more, kind]) => [filter, kind === 0 ? more : filter + more] as const);

const change = fc.record({ slot: fc.nat(99), texts: fc.option(texts, { freq: 4, nil: null }) });
const question = fc.record({
  kind: fc.constantFrom<TextKind>('filter', 'search'),
  text: words.filter((text) => text !== ''),
  /** A piece of one of the texts instead, so that long ones are found as well. */
  piece: fc.option(
    fc.record({ slot: fc.nat(99), from: fc.nat(9), length: fc.integer({ min: 1, max: 9 }) }),
  ),
});
const rounds = fc.array(
  fc.record({
    changes: fc.array(change, { maxLength: 60, size: 'max' }),
    questions: fc.array(question, { minLength: 1, maxLength: 6, size: 'max' }),
  }),
  { maxLength: 8, size: 'max' },
);

it.each([
  { shelf_slots: 32, unindexed_slots: 0, unindexed_changes: 0 },
  { shelf_slots: 64, unindexed_slots: 8, unindexed_changes: 0 },
  { shelf_slots: 64, unindexed_slots: 8, unindexed_changes: 20 },
  { shelf_slots: 512, unindexed_slots: 0, unindexed_changes: 5 },
])('finds what a look at every text finds, with %o', (tuning) => {
  fc.assert(
    fc.property(rounds, (all) => {
      const index = new TextIndex(tuning);
      const known = new Map<number, readonly [filter: string, search: string]>();
      for (const { changes, questions } of all) {
        for (const { slot, texts: now } of changes) {
          if (now === null) index.remove(slot);
          else index.put(slot, ...now);
          known.set(slot, now ?? ['', '']);
        }
        for (const { kind, text: any_text, piece } of questions) {
          const of = (slot: number): string => known.get(slot)?.[kind === 'filter' ? 0 : 1] ?? '';
          const cut = piece ? of(piece.slot).slice(piece.from, piece.from + piece.length) : '';
          const text = cut === '' ? any_text : cut;
          const expected = Array.from(known.keys())
            .filter((slot) => of(slot).includes(text))
            .toSorted((one, other) => one - other);
          const bits = index.find({ kind, text });
          const found = Array.from({ length: 32 * bits.length }, (_, slot) => slot).filter(
            (slot) => (bits[slot >>> 5]! & (1 << (slot & 31))) !== 0,
          );
          expect(found).toEqual(expected);
          for (let slot = 0; slot < 100; slot += 7)
            expect(index.contains(slot, { kind, text })).toBe(of(slot).includes(text));
        }
      }
    }),
    { numRuns: 200 },
  );
});

it('texts that change again and again are found as they are', () => {
  const index = new TextIndex({ shelf_slots: 32, unindexed_slots: 0, unindexed_changes: 3 });
  for (let at = 0; at < 10_000; at += 1) index.put(at % 32, `name ${at}`, `name ${at} more`);
  const found = (text: string) => [...index.find({ kind: 'search', text })];
  expect(found('name 9999 m')).toEqual([1 << (9999 % 32)]);
  expect(found('me 1')).toEqual([0]);
});

it('few changed texts are compared, however many shelves have changed', () => {
  const tuning = { shelf_slots: 32, unindexed_slots: 0, unindexed_changes: 8 };
  const index = new TextIndex(tuning);
  for (let slot = 0; slot < 320; slot += 1) index.put(slot, '', `name ${slot}`);
  for (let at = 0; at < 100; at += 1) {
    index.put((at * 37) % 320, '', `changed ${at}`);
    const includes = jest.spyOn(String.prototype, 'includes');
    const found = index.find({ kind: 'search', text: 'nowhere' });
    const compared = includes.mock.calls.length;
    includes.mockRestore();
    expect([...found].filter((word) => word !== 0)).toEqual([]);
    expect(compared).toBeLessThanOrEqual(tuning.unindexed_changes);
  }
});
