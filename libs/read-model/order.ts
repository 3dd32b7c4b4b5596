import { hash } from 'node:crypto';

/**
 * Comparison of orders. Every adapter stores and compares exactly these values, so that cursors and pages mean the
 * same on all of them. Listings of folders order texts in the same way (`libs/domain/kernel/indexes/text-key.ts`).
 */

/** Length of the prefix that a text order compares, so that a cursor can hold it. UTF-8 bytes. */
const TEXT_SORT_KEY_BYTES = 90;

const UTF16_UNIT_MAX_BYTES = 3;
const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

const encoder = new TextEncoder();
const key_bytes = new Uint8Array(TEXT_SORT_KEY_BYTES);

/**
 * Case folding of all searched, filtered and ordered texts, and of search texts. `toLowerCase` makes a Greek capital sigma ς
 * at the end of a word, and σ elsewhere: the beginning of a word would not be found in it.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/** Sort key of a text order: the first 90 bytes (UTF-8, cut at a code point) of the case-folded text. */
export function textSortKey(text: string): string {
  const folded = foldCase(text);
  if (folded.length * UTF16_UNIT_MAX_BYTES <= TEXT_SORT_KEY_BYTES) return folded;
  return folded.slice(0, encoder.encodeInto(folded, key_bytes).read);
}

/** Tie-breaker of equal text sort keys: 32 hex digits, the first 16 bytes of SHA-256 of the id. */
export function idDigest(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 32);
}

/** Plain order of UTF-16 code units. Ids are ASCII, so it is the order of their bytes too. */
export function compareIds(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Order of text sort keys: by code point, which is the order of the UTF-8 bytes that a database compares. */
export function compareTextKeys(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at += 1) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return codePointRank(one) - codePointRank(other);
  }
  return left.length - right.length;
}

/** Order of the keys of one order: numbers, or text sort keys. */
export function compareKeys(left: string | number, right: string | number): number {
  if (typeof left === 'number') return left - Number(right);
  return compareTextKeys(left, String(right));
}

/** Surrogates encode code points above all others, though their code units are lower than U+E000. */
function codePointRank(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit < AFTER_SURROGATES ? unit + 0x10000 : unit;
}

/**
 * Score of a record whose searched text contains `text`; both are case-folded.
 * 1 the title is the text, 0.75 it begins with it, 0.5 it contains it, 0.25 the match is elsewhere.
 */
export function searchScore(title: string, text: string): number {
  const at = title.indexOf(text);
  if (at < 0) return 0.25;
  if (at > 0) return 0.5;
  return title.length === text.length ? 1 : 0.75;
}
