import fc from 'fast-check';
import {
  compareTexts,
  foldCase,
  mayBeCut,
  textKey,
} from '../../libs/domain/kernel/indexes/text-key.js';
import {
  compareTextKeys,
  foldCase as foldedAsRead,
  textSortKey,
} from '../../libs/read-model/order.js';

/** Long enough to be cut, with lone surrogates and letters that change their length in lower case. */
const anyText = fc
  .array(
    fc.constantFrom(
      'a',
      'B',
      'é',
      'İ',
      'Σ',
      '中',
      '\uf000',
      '𝒳',
      '\ud835',
      '\udcb3',
      ' '.repeat(20),
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((pieces) => pieces.join(''));

describe('texts in the order of the domain and in that of the read model', () => {
  it('are cut alike and stand alike', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(textKey(one)).toBe(textSortKey(one));
        expect(foldCase(one)).toBe(foldedAsRead(one));
        expect(textKey(one) === foldCase(one) || mayBeCut(textKey(one))).toBe(true);
        const keys = [textKey(one), textKey(other)] as const;
        expect(Math.sign(compareTexts(...keys))).toBe(Math.sign(compareTextKeys(...keys)));
      }),
    );
  });

  it('begin with the beginnings that they had before they were folded', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(foldCase(one + other)).toBe(foldCase(one) + foldCase(other));
      }),
    );
  });
});
