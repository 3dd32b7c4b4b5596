import type { DriveState } from '../../foundation/state.js';
import { cut } from '../../kernel/fields.js';
import { type Refusal, refuseField } from '../../kernel/refusal.js';
import { type Item, type ItemKind, itemNamed, kindOf } from '../../relations/directory-tree.js';

const MOST_CHARACTERS = 256;
const CONTROL = /\p{Cc}/u;
const RESERVED = new Set(['.', '..', '.trash']);

/** Numbers of a name that are tried in sequence. Above it, a free number is found by larger steps. */
const NUMBERS_IN_TURN = 1000;

/** The stored form of a name. A single colon becomes a semicolon, since paths begin with `<DiskID>::`. */
export function storedName(name: string, pointer = '/name'): string | Refusal {
  if (name.length === 0) return refuseField(pointer, 'must not be empty', 1);
  if (name.length > MOST_CHARACTERS)
    return refuseField(pointer, `must be at most ${MOST_CHARACTERS} characters`, MOST_CHARACTERS);
  if (name.includes('/')) return refuseField(pointer, 'must not hold /');
  if (name.includes('::')) return refuseField(pointer, 'must not hold ::');
  if (CONTROL.test(name)) return refuseField(pointer, 'must not hold control characters');
  if (RESERVED.has(name)) return refuseField(pointer, 'must not be ., .. or .trash');
  return name.replaceAll(':', ';');
}

/** Splits a file name into stem and extension with its dot. A leading dot starts no extension. */
function splitName(name: string): readonly [stem: string, ending: string] {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
}

const EXTENSION = /^[A-Za-z0-9_-]{0,32}$/;

/** The extension given by the client, without a leading dot. */
export function givenExtension(extension = ''): string | Refusal {
  const given = extension.startsWith('.') ? extension.slice(1) : extension;
  if (EXTENSION.test(given)) return given;
  return refuseField('/extension', 'must be at most 32 of A-Z, a-z, 0-9, _ and -');
}

/** The text after a name's last dot; for a name without a dot the extension given by the client. */
export function extensionOf(name: string, given = ''): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? given : name.slice(dot + 1);
}

/**
 * The name itself, or the first of `name (2).ext`, `name (3).ext`, … that is neither used nor reserved in the folder.
 * If very many siblings have the name, the number is free but not always the lowest.
 */
export function freeName(
  state: DriveState,
  kind: ItemKind,
  folder_id: string,
  name: string,
  now: number,
  isPromised: (name: string) => boolean = () => false,
): string {
  const isFree = (one: string): boolean =>
    !itemNamed(state, kind, folder_id, one, now) && !isPromised(one);
  if (isFree(name)) return name;
  const [stem, ending] = kind === 'file' ? splitName(name) : [name, ''];
  const numbered = (nth: number): string => {
    const number = ` (${nth})`;
    // Truncates long stems, and very long extensions, so that numbered names stay within the limit.
    const kept = cut(ending, MOST_CHARACTERS - number.length);
    const room = MOST_CHARACTERS - number.length - kept.length;
    return `${cut(stem, room)}${number}${kept}`;
  };
  for (let nth = 2; nth <= NUMBERS_IN_TURN; nth++) if (isFree(numbered(nth))) return numbered(nth);
  let [taken, free] = [NUMBERS_IN_TURN, 2 * NUMBERS_IN_TURN];
  while (!isFree(numbered(free))) [taken, free] = [free, 2 * free];
  while (free - taken > 1) {
    const middle = (taken + free) >> 1;
    if (isFree(numbered(middle))) free = middle;
    else taken = middle;
  }
  return numbered(free);
}

/**
 * The name of an item that is moved to the trash of its disk. Expired items there hold their names too: a sweep keeps
 * them in the trash, where they are visible again.
 */
export function nameInTrash(
  state: DriveState,
  item: Item,
  isPromised?: (name: string) => boolean,
): string {
  const { trash_folder } = state.disks.get(item.disk_id)!;
  return freeName(state, kindOf(item), trash_folder, item.name, -Infinity, isPromised);
}
