import * as fc from 'fast-check';

import { BlockText, Needle } from './block-text.js';

const words = fc
  .array(fc.constantFrom('ab', 'cd', 'ef', 'é', '中', '𝒳', ' ', '_', '12', '34'), {
    maxLength: 8,
    size: 'max',
  })
  .map((pieces) => pieces.join(''));
const anyChange = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), text: words }),
  fc.record({ kind: fc.constant('change' as const), at: fc.nat(), text: words }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('split' as const), at: fc.nat() }),
);
/** A word, or a piece of one of the texts, so that long ones are found as well. */
const anyNeedle = fc.oneof(
  words.map((text) => () => text),
  fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 })).map((piece) => pieceOf(...piece)),
);

function hitsOf(block: BlockText, texts: readonly string[], text: string): number[] {
  const found = new Uint32Array(texts.length);
  return [...found.subarray(0, block.hits(new Needle(text), found))];
}

function pieceOf(which: number, from: number, length: number) {
  return (texts: readonly string[]): string => {
    const text = texts[which % Math.max(1, texts.length)] ?? '';
    return text.slice(from % Math.max(1, text.length)).slice(0, length);
  };
}

/** Brings a block up to its texts and looks for the needle in it and in all of them. */
function look(block: BlockText, texts: readonly string[], text: string, gram_records: number) {
  block.refresh((at) => texts[at]!, gram_records);
  const expected = [...texts.keys()].filter((at) => texts[at]!.includes(text));
  return { found: hitsOf(block, texts, text), expected };
}

describe('texts of a block', () => {
  it('hold what some of them hold, after any changes, with grams and without', () => {
    fc.assert(
      fc.property(
        fc.array(words, { minLength: 2, maxLength: 12, size: 'max' }),
        fc.array(fc.record({ change: anyChange, needle: anyNeedle }), {
          maxLength: 40,
          size: 'max',
        }),
        fc.constantFrom(1, 4, Infinity),
        (first, steps, gram_records) => {
          const parts = [{ block: BlockText.unread(first.length), texts: [...first] }];
          for (const { change, needle } of steps) {
            for (const { block, texts } of parts) {
              const { found, expected } = look(block, texts, needle(texts) || 'a', gram_records);
              expect(found).toEqual(expected);
            }
            const { block, texts } = parts.at(-1)!;
            const at = change.at % Math.max(1, texts.length);
            if (change.kind === 'insert') {
              texts.splice(at, 0, change.text);
              block.inserted(at);
            } else if (change.kind === 'change' && texts.length > 0) {
              texts[at] = change.text;
              block.changed(at);
            } else if (change.kind === 'remove' && texts.length > 0) {
              texts.splice(at, 1);
              block.removed(at);
            } else if (change.kind === 'split') {
              parts.push({ block: block.split(at), texts: texts.splice(at) });
            }
          }
        },
      ),
    );
  });

  it('are not looked through for what their grams deny', () => {
    const texts = ['monday', 'tuesday'];
    const block = BlockText.unread(texts.length);
    expect(look(block, texts, 'uesda', 1).found).toEqual([1]);
    const { grams } = new Needle('uesda');
    const denied = { text: 'uesda', grams: Uint32Array.from(grams, (bit) => bit ^ 1) };
    expect(block.hits(denied, new Uint32Array(2))).toBe(0);
  });
});
