import { setTimeout as sleep } from 'node:timers/promises';

import type { ProposedEvent } from './event-log.js';

/** The real server answers a write that it could not commit after this time, ms. */
const COMMIT_TIMEOUT_MS = 2_000;

/**
 * Writes from their arrival until the index shows them. The real server drops a repetition of such a write and lets its
 * commit time-out pass; it answers a later repetition as stored.
 */
export class Commits {
  /** Time from storing an append to its answer; 0 for the next turn of the event loop. */
  index_ms = 0;
  readonly #under_way = new Map<string, Set<string>>();

  constructor(readonly timeout_ms = COMMIT_TIMEOUT_MS) {}

  /** Whether all events of an append belong to a write of the same stream that is under way. */
  repeats(stream: string, events: readonly ProposedEvent[]): boolean {
    const ids = this.#under_way.get(stream);
    return ids !== undefined && events.length > 0 && events.every(({ id }) => ids.has(id));
  }

  /** Marks a write as under way until the returned function is called. */
  begin(stream: string, events: readonly ProposedEvent[]): () => void {
    const ids = this.#under_way.get(stream) ?? new Set();
    this.#under_way.set(stream, ids);
    for (const { id } of events) ids.add(id);
    return () => {
      for (const { id } of events) ids.delete(id);
      if (ids.size === 0) this.#under_way.delete(stream);
    };
  }

  /** Resolves once the index shows what has just been stored. */
  async indexed(): Promise<void> {
    if (this.index_ms > 0) await sleep(this.index_ms, undefined, { ref: false });
    else await new Promise(setImmediate);
  }

  async timeOut(): Promise<'timeout'> {
    return sleep(this.timeout_ms, 'timeout', { ref: false });
  }
}
