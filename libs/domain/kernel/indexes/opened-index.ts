import type { RecordBase } from '../record.js';
import { Multimap } from './multimap.js';
import { Box, ERASED, type Opener, SEALED, type Sealed } from '../sealed.js';
import type { Table } from '../table.js';

/** Records looked at before the event loop gets a turn, where there is time for one. */
const RECORDS_PER_TURN = 250;
/** Records that could not be opened are tried again with every question, if they are no more than this. */
const MOST_RETRIED = 1000;

/**
 * Finds records by the clear value of a field that is sealed. Opened values lie in this process's memory
 * only: a digest in the events would let anybody with the drive's key confirm a guess after an erasure.
 * Records whose field is not sealed are not found here.
 */
export class OpenedIndex<R extends RecordBase> {
  private readonly ids = new Multimap();
  private readonly values = new Map<string, string>();
  /** Records whose key is not here, or not yet. */
  private readonly closed = new Set<string>();
  private readonly pending = new Set<string>();
  private version = -1;

  constructor(
    private readonly table: Table<R>,
    private readonly field: keyof R & string,
    private readonly open: Opener,
  ) {}

  /** The records as they are now. */
  upToDate(): { where(value: string): readonly R[] } {
    for (const _ of this.catchUp());
    if (this.closed.size <= MOST_RETRIED) for (const id of [...this.closed]) this.look(id);
    return { where: (value) => this.ids.list(value).map((id) => this.table.get(id)!) };
  }

  /** Catches up with the table. Yields regularly, so that cooperative callers can pause. */
  *catchUp(): Generator<void> {
    this.note();
    let looked_at = 0;
    for (const id of this.pending) {
      this.look(id);
      looked_at += 1;
      if (looked_at % RECORDS_PER_TURN === 0) yield;
    }
  }

  /** Notes what has changed since the last time. */
  private note(): void {
    if (this.version === this.table.version) return;
    const replaced = this.version < 0 ? null : this.table.since(this.version);
    this.version = this.table.version;
    if (replaced === null) {
      for (const id of this.values.keys()) this.pending.add(id);
      // Stored records are made when they are looked at, which may take its time.
      for (const id of this.table.ids()) this.pending.add(id);
    } else for (const { before, after } of replaced) this.pending.add((before ?? after!).id);
  }

  private look(id: string): void {
    this.pending.delete(id);
    this.closed.delete(id);
    const before = this.values.get(id);
    const after = this.valueOf(id);
    if (before === after) return;
    if (before !== undefined) this.ids.delete(before, id);
    this.values.delete(id);
    if (after === undefined) return;
    this.ids.add(after, id);
    this.values.set(id, after);
  }

  private valueOf(id: string): string | undefined {
    const sealed = this.table.get(id)?.[this.field];
    if (!(sealed instanceof Box)) return undefined;
    const value = this.open(sealed as Sealed<string>, this.field);
    if (value !== SEALED && value !== ERASED) return value;
    this.closed.add(id);
    return undefined;
  }
}
