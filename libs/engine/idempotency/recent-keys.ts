import {
  EventMissing,
  type EventStore,
  type FoldableEvent,
  type NewEvent,
  type StoredEvent,
  type StreamHead,
} from '../../event-store/port.js';
import { isWhole } from '../fold/stream-pages.js';
import { Pace } from '../tasks/turns.js';

/** How long an idempotency key is valid, by the time of its events, ms. */
export const KEY_LIFE_MS = 86_400_000;
/** Maximum valid keys of a drive. */
export const MOST_KEYS = 100_000;
/** Keys kept beyond the valid ones: more than the rollback of a batch may need. */
const SLACK = 20_000;
const PAGE = 250;
/** Number of unread events up to which all are read: a search for the first valid one would take as long. */
const FEW = 1_000;

/** A request completed under an idempotency key. */
export interface KeyUse {
  /** SHA-256 (hex) of caller and key. */
  readonly key: string;
  /** Digest of path and canonical body: see `Idempotency`. */
  readonly body: string;
  /** Its first and its last event. */
  readonly first: number;
  readonly last: number;
  readonly timestamp_ms: number;
}

interface Noted extends KeyUse {
  last: number;
  readonly nth: number;
  /** The use of the same key that this one replaced, for rollback. */
  replaced: Noted | undefined;
}

/** Key, body, first and last revision, time. */
type KeyRow = readonly [string, string, number, number, number];

type NotedEvent = Pick<NewEvent, 'timestamp_ms' | 'metadata'> & { readonly revision: number };

/** Metadata of an event without a key contains this; quotes within texts are escaped. */
const WITHOUT_KEY = '"idempotency":null';

/**
 * The valid idempotency keys of a drive: those of the last 24 hours, at most 100,000. They are not part of the state
 * hash; snapshots keep them, and the metadata of later events adds to them.
 */
export class RecentKeys {
  private readonly by_key = new Map<string, Noted>();
  /** Oldest first; those before `forgotten` are expired. */
  private log: Noted[] = [];
  private forgotten = 0;
  private newest = 0;
  /** Revision up to which the stream's keys are known; at least that of a state that takes commands. */
  seen = -1;

  get size(): number {
    return this.by_key.size;
  }

  /** The use of the first of these keys that has a valid one at `now`. */
  find(keys: readonly string[], now: number): KeyUse | null {
    for (const key of keys) {
      const use = this.by_key.get(key);
      if (!use) continue;
      const is_recent = now - use.timestamp_ms < KEY_LIFE_MS;
      if (is_recent && this.newest - use.nth < MOST_KEYS) return use;
    }
    return null;
  }

  /** Adds the key of the next event of the stream. */
  note({ revision, timestamp_ms, metadata }: NotedEvent): void {
    this.seen = revision;
    if (metadata.includes(WITHOUT_KEY)) return;
    const { idempotency } = JSON.parse(metadata) as {
      idempotency: { key: string; body: string } | null;
    };
    if (!idempotency) return;
    const { key, body } = idempotency;
    const known = this.by_key.get(key);
    // All events of a request have one time and follow each other.
    if (known?.last === revision - 1 && known.timestamp_ms === timestamp_ms) known.last = revision;
    else this.add({ key, body, first: revision, last: revision, timestamp_ms });
    this.forgetOld(timestamp_ms);
  }

  /** The events after a revision up to another one were stored by this process; `note` has had those with keys. */
  passOwn(after: number, last: number): void {
    if (this.seen >= after) this.seen = Math.max(this.seen, last);
  }

  /** Adds the key of a folded event if it is the next one and was read completely. */
  noteFolded(event: FoldableEvent): void {
    if (isWhole(event) && event.revision === this.seen + 1) this.note(event);
  }

  /** Adds the keys of events, which have no gap, from the next one of the stream on. @returns these; none without it */
  noteNext(events: readonly StoredEvent[]): readonly StoredEvent[] {
    const next = events.filter(({ revision }) => revision > this.seen);
    if (next[0]?.revision !== this.seen + 1) return [];
    for (const event of next) this.note(event);
    return next;
  }

  /** Removes uses after a revision, whose events were rolled back. */
  undoTo(revision: number): void {
    this.seen = Math.min(this.seen, revision);
    for (let use = this.log.at(-1); use && use.first > revision; use = this.log.at(-1)) {
      this.log.pop();
      this.newest--;
      if (use.replaced) this.by_key.set(use.key, use.replaced);
      else this.by_key.delete(use.key);
    }
  }

  /**
   * Reads on to the end of the stream, as far back as keys may be valid, for events that no fold has read completely.
   * @returns the events if one read returned them all; else none
   */
  async read(events: EventStore, stream: string): Promise<readonly StoredEvent[]> {
    const few = await this.readPage(events, stream, PAGE);
    if (few.length < PAGE) return few;
    const head = await events.head(stream);
    if (!head) throw new Error(`${stream}: the stream no longer exists`);
    await this.readTo(events, stream, head);
    return [];
  }

  /** Likewise, up to an event. @throws EventMissing */
  async readTo(
    events: EventStore,
    stream: string,
    { revision, timestamp_ms }: Pick<StreamHead, 'revision' | 'timestamp_ms'>,
  ): Promise<void> {
    // A search by time takes many reads; usually fewer events are missing.
    if (revision - this.seen > FEW)
      this.skipTo(await events.findRevisionByTime(stream, timestamp_ms - KEY_LIFE_MS));
    const pace = new Pace();
    while (this.seen < revision) {
      if (pace.is_due) await pace.turn();
      const limit = Math.min(PAGE, revision - this.seen);
      const { length } = await this.readPage(events, stream, limit);
      if (length < limit) throw new EventMissing(stream, this.seen + 1);
    }
  }

  private async readPage(
    events: EventStore,
    stream: string,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const from = this.seen + 1;
    const page = await events.readStream(stream, from, 'forward', limit);
    for (const [at, { revision }] of page.entries())
      if (revision !== from + at) throw new EventMissing(stream, from + at);
    for (const event of page) this.note(event);
    return page;
  }

  /** Continues after a revision: keys of events up to there are expired. */
  private skipTo(revision: number): void {
    this.seen = Math.max(this.seen, revision);
  }

  toJSON(): readonly KeyRow[] {
    return this.log
      .slice(this.forgotten)
      .map(({ key, body, first, last, timestamp_ms }) => [key, body, first, last, timestamp_ms]);
  }

  /** The rows of `toJSON` that are valid at a time. */
  validAt(now: number): readonly KeyRow[] {
    return this.toJSON()
      .filter(([, , , , timestamp_ms]) => now - timestamp_ms < KEY_LIFE_MS)
      .slice(-MOST_KEYS);
  }

  /** Adds rows of `toJSON`, one per step. @param seen revision up to which the rows are complete */
  *filling(rows: Iterable<KeyRow>, seen: number): Generator<void> {
    this.seen = seen;
    for (const [key, body, first, last, timestamp_ms] of rows) {
      this.add({ key, body, first, last, timestamp_ms });
      yield;
    }
  }

  private add(use: KeyUse): void {
    const replaced = this.by_key.get(use.key);
    if (replaced) replaced.replaced = undefined;
    const noted: Noted = { ...use, nth: ++this.newest, replaced };
    this.by_key.set(use.key, noted);
    this.log.push(noted);
  }

  /** Removes keys that are expired, and would be even if the current events were rolled back. */
  private forgetOld(now: number): void {
    const { log } = this;
    for (; this.forgotten < log.length; this.forgotten++) {
      const use = log[this.forgotten]!;
      const is_recent = now - use.timestamp_ms < KEY_LIFE_MS;
      if (is_recent && this.newest - use.nth < MOST_KEYS + SLACK) break;
      if (this.by_key.get(use.key) === use) this.by_key.delete(use.key);
    }
    if (this.forgotten < SLACK) return;
    this.log = log.slice(this.forgotten);
    this.forgotten = 0;
  }
}
