import { refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { sha256 } from '../../engine/proofs/hashing.js';
import type { Page, PageRequest, Position, SortDirection } from '../../read-model/port.js';

/** Page parameters of a list or search, with cursors as the client sent them. */
export interface PageInput {
  readonly page_size: number;
  readonly direction: SortDirection;
  readonly cursor?: string | undefined;
  readonly cursor_down?: string | undefined;
  readonly cursor_up?: string | undefined;
}

/** Characters of the digest that binds a cursor to its list. */
const TIE_CHARS = 6;

/**
 * Reads the cursors of a page request. `list` names the list and its order. A cursor of another list, order or
 * direction is refused.
 * @param key_kind kind of the order's keys; a cursor with another one is refused
 */
export function pageRequest(
  list: string,
  input: PageInput,
  key_kind?: 'number' | 'integer' | 'string',
): PageRequest | Refusal {
  const { page_size, direction } = input;
  const page = { page_size, direction };
  const down = input.cursor_down ?? input.cursor;
  const given = down ?? input.cursor_up;
  if (!given) return page;
  const pointer = down ? (input.cursor_down ? '/cursor_down' : '/cursor') : '/cursor_up';
  const position = decodeCursor(list, direction, given);
  if (!position || (key_kind && !isOfKind(position, key_kind)))
    return refuseField(pointer, 'is not a cursor of this list, order and direction');
  return down ? { ...page, after: position } : { ...page, before: position };
}

function isOfKind({ key }: Position, kind: 'number' | 'integer' | 'string'): boolean {
  return kind === 'integer' ? Number.isSafeInteger(key) : typeof key === kind;
}

/** The members of a page besides its items. */
export interface PageFrame {
  page_size: number;
  total: number;
  direction: SortDirection;
  cursor: string | null;
  cursor_down: string | null;
  cursor_up: string | null;
}

/**
 * The frame of a page of `list`. `before` and `after` are the ends of the page; null if the list ends there. An empty
 * page beyond the ends of a list that has become shorter leads back to that end.
 */
export function pageFrame(
  list: string,
  request: PageRequest,
  { items, total, ...ends }: Pick<Page<unknown>, 'items' | 'total' | 'before' | 'after'>,
): PageFrame {
  const { page_size, direction } = request;
  const { before, after } = items.length === 0 && total > 0 ? endsBeside(request, ends) : ends;
  const down = encodeCursor(list, direction, after);
  const cursor_up = encodeCursor(list, direction, before);
  return { page_size, total, direction, cursor: down, cursor_down: down, cursor_up };
}

type Ends = Pick<Page<unknown>, 'before' | 'after'>;

/** Keys before and after those of all items, by the kind of key; numbers are times, counts or scores. */
const OUTERMOST = {
  number: { ASC: Number.MAX_SAFE_INTEGER, DESC: -1 },
  string: { ASC: '\u{10ffff}', DESC: '' },
} as const;

/** The ends of an empty page: all items are on the side from which the request came. */
function endsBeside({ direction, after, before }: PageRequest, ends: Ends): Ends {
  const cursor = after ?? before;
  if (!cursor || ends.before || ends.after) return ends;
  const outermost = OUTERMOST[typeof cursor.key as 'number' | 'string'];
  const opposite = direction === 'ASC' ? 'DESC' : 'ASC';
  return after
    ? { before: { key: outermost[direction], id: '' }, after: null }
    : { before: null, after: { key: outermost[opposite], id: '' } };
}

/** Prefix of a position's key; it distinguishes numbers from texts. */
const KEY_KINDS = { number: 'n', string: 't' } as const;

/** Last character of a cursor, which a cursor without its end lacks. */
const END = '\n';

/** Encodes a position in an order as opaque text of at most 256 characters. */
export function encodeCursor(
  list: string,
  direction: SortDirection,
  position: Position | null,
): string | null {
  if (!position) return null;
  const { key, id } = position;
  const kind = KEY_KINDS[typeof key as 'number' | 'string'];
  // The key is unescaped: it may contain any character, and escaping could triple its length.
  return Buffer.from(`${tie(list, direction)}${id}\n${kind}${key}${END}`).toString('base64url');
}

function decodeCursor(list: string, direction: SortDirection, cursor: string): Position | null {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding skips other characters.
  if (bytes.toString('base64url') !== cursor) return null;
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n');
  if (end < TIE_CHARS || text.slice(0, TIE_CHARS) !== tie(list, direction)) return null;
  if (!text.endsWith(END)) return null;
  const id = text.slice(TIE_CHARS, end);
  const kind = text[end + 1];
  const key = text.slice(end + 2, -END.length);
  if (kind === KEY_KINDS.string) return { key, id };
  return kind === KEY_KINDS.number && /^-?\d+(?:\.\d+)?$/.test(key)
    ? { key: Number(key), id }
    : null;
}

/** The digest that binds a cursor to its list and direction. */
function tie(list: string, direction: SortDirection): string {
  return sha256(`${list}\n${direction}`).toString('base64url').slice(0, TIE_CHARS);
}
