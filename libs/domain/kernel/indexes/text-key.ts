/*
 * The same order as in `libs/read-model/order.ts`; neither may import the other. A spec in `test/property` checks that
 * they agree.
 */

/** Bytes of a text that an order compares, in UTF-8; the limit lets a position fit into a cursor. */
const KEY_BYTES = 90;
/** Bytes of a code unit, and of a code point, in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;
const MOST_BYTES_PER_CHARACTER = 4;
const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/**
 * A text in lower case, independent of what follows it: `toLowerCase` makes a Greek capital sigma ς at the end of a word,
 * and σ elsewhere, so the beginning of a word would not be found in it.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** The sort key of a text: the first 90 bytes (UTF-8, cut at a code point) of the text in lower case. */
export function textKey(text: string): string {
  const folded = foldCase(text);
  if (folded.length * MOST_BYTES_PER_UNIT <= KEY_BYTES) return folded;
  let bytes = 0;
  let end = 0;
  for (const character of folded) {
    bytes += utf8Bytes(character.codePointAt(0)!);
    if (bytes > KEY_BYTES) break;
    end += character.length;
  }
  return folded.slice(0, end);
}

/** True if the key is not known to be the whole text (in lower case). */
export function mayBeCut(key: string): boolean {
  return key.length * MOST_BYTES_PER_UNIT > KEY_BYTES - MOST_BYTES_PER_CHARACTER;
}

/** Orders texts by code point, as their UTF-8 bytes would be. */
export function compareTexts(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return left.length - right.length;
}

function utf8Bytes(code_point: number): number {
  if (code_point < 0x80) return 1;
  if (code_point < 0x800) return 2;
  return code_point < 0x10000 ? 3 : 4;
}

/**
 * The rank of a code unit. Surrogates encode the highest code points, although their code units are not the highest.
 */
function rank(unit: number): number {
  return unit < SURROGATES || unit >= AFTER_SURROGATES ? unit : unit + 0x10000;
}
