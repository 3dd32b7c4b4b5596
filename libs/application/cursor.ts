import { refuseField, type Refusal } from '../domain/kernel/refusal.js';
import { sha256 } from '../engine/hashing.js';
import type { PageRequest, Position, SortDirection } from '../read-model/port.js';

/** What a list or search is asked for beside its own conditions; cursors as the client gave them. */
export interface PageInput {
  readonly page_size: number;
  readonly direction: SortDirection;
  readonly cursor?: string | undefined;
  readonly cursor_down?: string | undefined;
  readonly cursor_up?: string | undefined;
}

/** Characters of the digest that ties a cursor to its list. */
const TIE_CHARS = 6;
/** Most of them remembered; beyond it all are forgotten and made anew. */
const MOST_TIES = 1000;

/**
 * Reads the cursors of a page request. `list` names the list with its order: a cursor made for
 * another one, or another direction, is refused.
 */
export function pageRequest(list: string, input: PageInput): PageRequest | Refusal {
  const { page_size, direction } = input;
  const page = { page_size, direction };
  const down = input.cursor_down ?? input.cursor;
  const given = down ?? input.cursor_up;
  if (!given) return page;
  const pointer = down ? (input.cursor_down ? '/cursor_down' : '/cursor') : '/cursor_up';
  const position = decodeCursor(list, direction, given);
  if (!position) return refuseField(pointer, 'is not a cursor of this list, order and direction');
  return down ? { ...page, after: position } : { ...page, before: position };
}

/** Opaque text of at most 256 characters that names a position in an order. */
export function encodeCursor(
  list: string,
  direction: SortDirection,
  position: Position | null,
): string | null {
  if (!position) return null;
  const parts = [tie(list, direction), position.key, position.id];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

function decodeCursor(list: string, direction: SortDirection, cursor: string): Position | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
  if (!Array.isArray(parts) || parts.length !== 3) return null;
  const [tied, key, id] = parts as [unknown, unknown, unknown];
  if (tied !== tie(list, direction)) return null;
  if (typeof key !== 'number' && typeof key !== 'string') return null;
  return typeof id === 'string' ? { key, id } : null;
}

/** Ties by what they are made of; a list needs the same one up to three times. */
const ties = new Map<string, string>();

function tie(list: string, direction: SortDirection): string {
  const tied = `${list}\n${direction}`;
  let known = ties.get(tied);
  if (known === undefined) {
    known = sha256(tied).toString('base64url').slice(0, TIE_CHARS);
    if (ties.size >= MOST_TIES) ties.clear();
    ties.set(tied, known);
  }
  return known;
}
