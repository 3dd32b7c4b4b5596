import type { HistoryItem } from '../api/answers.js';
import type { Drive } from '../api/drive.js';
import { EventSequence } from './event-sequence.js';

/** Sequences of the events of an organization by filter; what was read is kept until it is cleared. */
export class EventSequences {
  private readonly sequences = new Map<string, EventSequence<HistoryItem>>();

  constructor(private readonly drive: Drive) {}

  of(query: object): EventSequence<HistoryItem> {
    const name = JSON.stringify(query);
    const sequence = this.sequences.get(name) ?? this.sequenceOf(query);
    this.sequences.set(name, sequence);
    return sequence;
  }

  clear(): void {
    this.sequences.clear();
  }

  private sequenceOf(query: object): EventSequence<HistoryItem> {
    return new EventSequence(async ({ from, to }, end, page_size) => {
      const range = { from_revision: from, to_revision: to };
      const direction = end === 'first' ? ('ASC' as const) : ('DESC' as const);
      const body = { ...query, ...range, direction, page_size };
      const { items, cursor_down } = await this.drive.organization.history(body);
      const events = direction === 'ASC' ? items : items.toReversed();
      return { events, has_all: cursor_down === null };
    });
  }
}
