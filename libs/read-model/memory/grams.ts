/** Characters of a gram. */
export const GRAM = 3;

/** Where a gram occurs in a record. */
export const IN_BOTH_TEXTS = 1 << 24;
export const IN_FILTER_TEXT = 2 << 24;
export const IN_SEARCH_TEXT = 3 << 24;

/** Codes of characters. */
const CODES = 256;

/** ASCII has codes of its own; all other characters share the codes from 128 on. Zero: beyond the end of the text. */
function codeOf(character: number): number {
  return character < 128 && character > 0 ? character : 128 | (character & 127);
}

/** True if no other characters have the codes of these: then equal grams are equal texts. */
export function hasOwnCodes(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character >= 128 || character === 0) return false;
  }
  return true;
}

/**
 * Calls `visit` for the gram at every place of the text from `from` on, possibly repeatedly. The last two are filled
 * up with zeros, so that every shorter piece of the text begins a gram.
 */
export function visitGrams(text: string, from: number, visit: (gram: number) => void): void {
  const { length } = text;
  if (from >= length) return;
  let first = codeOf(text.charCodeAt(from));
  let second = from + 1 < length ? codeOf(text.charCodeAt(from + 1)) : 0;
  for (let at = from; at < length; at += 1) {
    const third = at + 2 < length ? codeOf(text.charCodeAt(at + 2)) : 0;
    visit(first | (second << 8) | (third << 16));
    first = second;
    second = third;
  }
}

/** The different whole grams of a text; none for a text shorter than a gram. */
export function wholeGrams(text: string): number[] {
  const grams = new Set<number>();
  if (text.length >= GRAM) visitGrams(text, 0, (gram) => grams.add(gram));
  return [...grams].filter((gram) => gram >>> 16 !== 0);
}

/** The grams that begin with a text of two characters. */
export function gramsBeginning(text: string): number[] {
  const pair = codeOf(text.charCodeAt(0)) | (codeOf(text.charCodeAt(1)) << 8);
  return Array.from({ length: CODES }, (_, third) => pair | (third << 16));
}

/** The bits of a gram that hold its first character, and their value in grams that begin with this one. */
export function beginning(character: string): { readonly mask: number; readonly value: number } {
  return { mask: CODES - 1, value: codeOf(character.charCodeAt(0)) };
}
