import type { Entry, FieldValue } from './entry.js';

/** Code of entries that were removed or have a list of values. */
const NONE = 0;

/**
 * The values of one field, and their entries. Every value has a small code, so that a clause of many values is
 * resolved once and entries are then compared by number.
 */
export class FieldColumn {
  private readonly codes = new Map<string, number>();
  /** By code. A single entry is stored without a set, since sets are large and most values have one entry. */
  private readonly held: (Entry | Set<Entry> | null)[] = [null];
  private readonly free_codes: number[] = [];
  /** By slot, of the entries that have a value and no list. */
  private code_of_slot = new Uint32Array(64);
  /** Entries that have a list of values. */
  private readonly plural = new Map<Entry, readonly string[]>();

  add(entry: Entry, value: FieldValue): void {
    if (typeof value === 'string') {
      this.setCode(entry.slot, this.put(value, entry));
      return;
    }
    for (const one of value) this.put(one, entry);
    this.plural.set(entry, value);
  }

  remove(entry: Entry, value: FieldValue): void {
    this.setCode(entry.slot, NONE);
    this.plural.delete(entry);
    if (typeof value === 'string') this.take(value, entry);
    else for (const one of value) this.take(one, entry);
  }

  /**
   * Number of entries with one of the values, those with several possibly counted repeatedly; counting stops beyond
   * `most`.
   */
  estimate(among: ReadonlySet<string>, most: number): number {
    let entries = 0;
    for (const value of among) {
      const held = this.heldFor(value);
      if (held !== null) entries += held instanceof Set ? held.size : 1;
      if (entries > most) break;
    }
    return entries;
  }

  /** Calls `visit` for the entries with one of the values, possibly repeatedly. */
  visit(among: ReadonlySet<string>, visit: (entry: Entry) => void): void {
    for (const value of among) {
      const held = this.heldFor(value);
      if (held instanceof Set) for (const entry of held) visit(entry);
      else if (held !== null) visit(held);
    }
  }

  /** Sets the byte (by slot) of every entry with one of the values. */
  mark(among: ReadonlySet<string>, bytes: Uint8Array): void {
    const is_among = new Uint8Array(this.held.length);
    for (const value of among) {
      const code = this.codes.get(value);
      if (code !== undefined) is_among[code] = 1;
    }
    const { code_of_slot } = this;
    const slots = Math.min(bytes.length, code_of_slot.length);
    for (let slot = 0; slot < slots; slot += 1) bytes[slot]! |= is_among[code_of_slot[slot]!]!;
    for (const [{ slot }, values] of this.plural)
      if (values.some((value) => among.has(value))) bytes[slot] = 1;
  }

  private heldFor(value: string): Entry | Set<Entry> | null {
    const code = this.codes.get(value);
    return code === undefined ? null : this.held[code]!;
  }

  private put(value: string, entry: Entry): number {
    const known = this.codes.get(value);
    if (known === undefined) {
      const code = this.free_codes.pop() ?? this.held.length;
      this.codes.set(value, code);
      this.held[code] = entry;
      return code;
    }
    const held = this.held[known]!;
    if (held instanceof Set) held.add(entry);
    else if (held !== entry) this.held[known] = new Set([held, entry]);
    return known;
  }

  private take(value: string, entry: Entry): void {
    const code = this.codes.get(value);
    if (code === undefined) return;
    const held = this.held[code]!;
    if (held instanceof Set) held.delete(entry);
    if (held instanceof Set ? held.size > 0 : held !== entry) return;
    this.codes.delete(value);
    this.held[code] = null;
    this.free_codes.push(code);
  }

  private setCode(slot: number, code: number): void {
    if (slot >= this.code_of_slot.length) {
      const grown = new Uint32Array(2 * slot);
      grown.set(this.code_of_slot);
      this.code_of_slot = grown;
    }
    this.code_of_slot[slot] = code;
  }
}
