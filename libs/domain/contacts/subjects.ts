import { Box } from '../kernel/sealed.js';
import type { DriveState } from '../drive/state.js';
import type { Journal } from '../kernel/journal.js';

/** Snapshot form of `Subjects`. */
export interface SubjectsBody {
  readonly deleted: readonly (readonly [key_id: string, user_ids: readonly string[]])[];
  readonly erased: readonly (readonly [key_id: string, revision: number])[];
}

/**
 * Whose personal data lies under which key, as far as no live contact tells it: that of deleted contacts,
 * and which was erased. Working data, in no hash.
 */
export class Subjects {
  /** Ids that a deleted contact had, by its key. */
  private readonly deleted = new Map<string, readonly string[]>();
  /** Revision of the erasure, by key. */
  private readonly erased = new Map<string, number>();

  constructor(private readonly journal: Journal) {}

  /** Remembers the key of a contact that is being deleted. */
  rememberDeleted(key_id: string, user_ids: readonly string[]): void {
    this.set(this.deleted, key_id, user_ids);
  }

  /** Notes that keys are to be destroyed. */
  erase(key_ids: readonly string[]): void {
    for (const key_id of key_ids) this.set(this.erased, key_id, this.journal.revision);
  }

  isErased(key_id: string): boolean {
    return this.erased.has(key_id);
  }

  /** How many keys are erased. */
  get erased_size(): number {
    return this.erased.size;
  }

  erasedKeys(): IterableIterator<string> {
    return this.erased.keys();
  }

  /** Keys of deleted contacts that had this id. */
  *deletedOf(user_id: string): Generator<{ key_id: string; user_ids: readonly string[] }> {
    for (const [key_id, user_ids] of this.deleted)
      if (user_ids.includes(user_id)) yield { key_id, user_ids };
  }

  /** How many people of a state (of the same drive, now or before) are erased by now. */
  erasedOf(state: DriveState): number {
    if (this.erased.size === 0) return 0;
    const known = new Set(state.subjects.deleted.keys());
    for (const { subject_key_id } of state.contacts.values()) known.add(subject_key_id);
    // Keys erased by one event were one person's.
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
    map.set(key_id, value);
    this.journal.done(() => {
      if (before === undefined) map.delete(key_id);
      else map.set(key_id, before);
    });
  }
}

/** A person as far as the drive knows: contacts that are there, and the keys of all there ever were. */
export interface Person {
  readonly contact_ids: readonly string[];
  readonly key_ids: readonly string[];
  /** Every id the person has or had. */
  readonly user_ids: readonly string[];
}

/**
 * Everything about whoever bears or bore a user id: ids hang together by superswap, and a deleted contact
 * may have been made again under the same id. Null if there never was such a contact.
 */
export function personOf(state: DriveState, user_id: string): Person | null {
  const contact_ids = new Set<string>();
  const key_ids = new Set<string>();
  const user_ids = new Set([user_id]);
  // A set is walked to its end, also what is added on the way.
  for (const id of user_ids) {
    const contact = state.contacts.get(id);
    for (const found of [...(contact ? [contact] : []), ...state.contacts.where('past_id', id)]) {
      contact_ids.add(found.id);
      key_ids.add(found.subject_key_id);
      for (const other of [found.id, ...found.past_user_ids]) user_ids.add(other);
    }
    for (const found of state.subjects.deletedOf(id)) {
      key_ids.add(found.key_id);
      for (const other of found.user_ids) user_ids.add(other);
    }
  }
  if (key_ids.size === 0) return null;
  return { contact_ids: [...contact_ids], key_ids: [...key_ids], user_ids: [...user_ids] };
}

/** True if a field of the record lies under one of the keys. */
export function isUnder(record: object, key_ids: ReadonlySet<string>): boolean {
  return Object.values(record).some((value) => value instanceof Box && key_ids.has(value.key_id));
}
