import { idDigest } from '../../read-model/order.js';
import type { Position } from '../../read-model/port.js';

/** Bytes of a text that an order compares, in UTF-8; the limit lets a cursor hold them. */
const KEY_BYTES = 140;
const DIGEST_CHARS = 16;
/** Characters that take more bytes in a cursor than in the text. */
const ESCAPED = /["\\\p{Cc}]/gu;

const encoder = new TextEncoder();
const bytes = new Uint8Array(KEY_BYTES);

/** Texts that are their own key. */
const PLAIN = /^[ !#-[\]-~]{0,140}$/;

/** The part of a text that an order compares. */
export function keyOf(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text.replace(ESCAPED, '!');
  const { read } = encoder.encodeInto(plain, bytes);
  return plain.slice(0, read);
}

/** Orders the ids of equal keys. */
export function digestOf(id: string): string {
  return idDigest(id).slice(0, DIGEST_CHARS);
}

/** The position of an item in an order by text, then by digest of the id. */
export function positionOf(text: string, id: string): Position {
  return { key: keyOf(text), id: digestOf(id) };
}

export interface Placed<Item> {
  readonly item: Item;
  readonly position: Position;
}

/** Items in the order of their texts, each with its position. */
export function inOrder<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  idOf: (item: Item) => string,
): Placed<Item>[] {
  return items
    .map((item) => ({ item, position: positionOf(textOf(item), idOf(item)) }))
    .sort(({ position: a }, { position: b }) =>
      a.key === b.key ? (a.id < b.id ? -1 : 1) : a.key < b.key ? -1 : 1,
    );
}
