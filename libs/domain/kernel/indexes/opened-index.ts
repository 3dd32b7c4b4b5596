import type { RecordBase } from '../record.js';
import { Multimap } from './multimap.js';
import { Box, ERASED, type Opener, SEALED, type Sealed } from '../sealed.js';
import type { Table } from '../table.js';

/** Records processed before a cooperative caller may yield to the event loop. */
const RECORDS_PER_TURN = 250;
/** Maximum undecryptable records that each query retries; above it they are not retried. */
const MOST_RETRIED = 1000;

/**
 * Finds records by the decrypted value of a sealed field. Decrypted values exist only in the memory of this process:
 * with a digest in the events, a holder of the drive's key could confirm a guess after an erasure. Records whose field
 * is not sealed are not in this index.
 */
export class OpenedIndex<R extends RecordBase> {
  private readonly ids = new Multimap();
  private readonly values = new Map<string, string>();
  /** Records whose key is not available. */
  private readonly closed = new Set<string>();
  private readonly pending = new Set<string>();
  private version = -1;

  constructor(
    private readonly table: Table<R>,
    private readonly field: keyof R & string,
    private readonly open: Opener,
  ) {}

  /** The index of the current records. */
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

  /** Marks the records that have changed since the last call as pending. */
  private note(): void {
    if (this.version === this.table.version) return;
    const changed = this.version < 0 ? null : this.table.changedSince(this.version);
    this.version = this.table.version;
    // Stored records are created on access, so only the ids of all records are read here.
    for (const id of changed ?? [...this.values.keys(), ...this.table.ids()]) this.pending.add(id);
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
