import type { UndoLog } from '../kernel/undo-log.js';

/** Snapshot form of `Subjects`. */
export interface SubjectsBody {
  readonly deleted: readonly (readonly [key_id: string, user_ids: readonly string[]])[];
  readonly erased: readonly (readonly [key_id: string, revision: number])[];
}

/** The part of a state that concerns subjects. */
interface StateWithSubjects {
  readonly subjects: Subjects;
  readonly contacts: { views(): Iterable<{ readonly subject_key_id: string }> };
}

/**
 * The keys of personal data without a live contact: those of deleted contacts, and the erased ones. Working data,
 * covered by no hash.
 */
export class Subjects {
  /** Ids of deleted contacts, by their key. */
  private readonly deleted = new Map<string, readonly string[]>();
  /** Revision of the erasure, by key. */
  private readonly erased = new Map<string, number>();

  constructor(private readonly undo_log: UndoLog) {}

  /** Records the key of a contact that is being deleted. */
  rememberDeleted(key_id: string, user_ids: readonly string[]): void {
    this.set(this.deleted, key_id, user_ids);
  }

  erase(key_ids: readonly string[]): void {
    for (const key_id of key_ids) this.set(this.erased, key_id, this.undo_log.revision);
  }

  isErased(key_id: string): boolean {
    return this.erased.has(key_id);
  }

  get erased_size(): number {
    return this.erased.size;
  }

  erasedKeys(): IterableIterator<string> {
    return this.erased.keys();
  }

  /** Revision of the last erasure; -1 if there was none. */
  get last_erasure(): number {
    return this.erased.values().reduce((last, revision) => Math.max(last, revision), -1);
  }

  /** Keys of deleted contacts that had this id. */
  *deletedOf(user_id: string): Generator<{ key_id: string; user_ids: readonly string[] }> {
    for (const [key_id, user_ids] of this.deleted)
      if (user_ids.includes(user_id)) yield { key_id, user_ids };
  }

  /** Number of people in a state (current or past, of the same drive) that have been erased since. */
  erasedOf(state: StateWithSubjects): number {
    if (this.erased.size === 0) return 0;
    const known = new Set(state.subjects.deleted.keys());
    for (const { subject_key_id } of state.contacts.views()) known.add(subject_key_id);
    // One event erases the keys of one person.
    const erasures = new Set<number>();
    for (const [key_id, revision] of this.erased) if (known.has(key_id)) erasures.add(revision);
    return erasures.size;
  }

  toJSON(): SubjectsBody {
    return { deleted: [...this.deleted], erased: [...this.erased] };
  }

  restore({ deleted, erased }: SubjectsBody): void {
    for (const [key_id, user_ids] of deleted) this.deleted.set(key_id, user_ids);
    for (const [key_id, revision] of erased) this.erased.set(key_id, revision);
  }

  private set<T>(map: Map<string, T>, key_id: string, value: T): void {
    const before = map.get(key_id);
    this.undo_log.make({
      redo: () => map.set(key_id, value),
      undo() {
        if (before === undefined) map.delete(key_id);
        else map.set(key_id, before);
      },
    });
  }
}
