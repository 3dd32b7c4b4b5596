import { isDeepStrictEqual } from 'node:util';

import {
  entriesIn,
  type EventFilter,
  type IndexedMetadata,
  type RevisionRange,
} from './event-index.js';

/** An event in memory as filters see it. */
export interface FilteredEvent extends IndexedMetadata {
  readonly revision: number;
  readonly type: string;
  readonly resource_ids: ReadonlySet<string>;
}

/** The events in such a text (see `IndexText`). */
export function filteredEvents(text: Uint8Array): FilteredEvent[] {
  return entriesIn(text).map(([revision, type, resource_ids, metadata]) => {
    const { actor, command, correlation_id, allowed_by, reason } = metadata;
    const ids = new Set(resource_ids);
    return {
      revision,
      type,
      actor,
      command,
      correlation_id,
      allowed_by,
      reason,
      resource_ids: ids,
    };
  });
}

/** The first of some events that is missing among others, or is another one there; null if there is none. */
export function firstDifferent<Event extends { readonly revision: number }>(
  events: readonly Event[],
  others: readonly Event[],
): number | null {
  const by_revision = new Map(others.map((event) => [event.revision, event]));
  const different = events.find(
    (event) => !isDeepStrictEqual(by_revision.get(event.revision), event),
  );
  return different?.revision ?? null;
}

/** Revisions of the events that match, in their order. */
export function matchingRevisions(
  events: readonly FilteredEvent[],
  filter: EventFilter,
  range: RevisionRange,
): number[] {
  return matchingEvents(events, filter, range).map(({ revision }) => revision);
}

/** Number of matching events of each of these types, in the order of the types. */
export function matchingOfTypes(
  events: readonly FilteredEvent[],
  filter: Omit<EventFilter, 'types'>,
  types: readonly string[],
  range: RevisionRange,
): number[] {
  const counts = new Map<string, number>();
  for (const { type } of matchingEvents(events, filter, range))
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return types.map((type) => counts.get(type) ?? 0);
}

function matchingEvents(
  events: readonly FilteredEvent[],
  filter: EventFilter,
  { from, to }: RevisionRange,
): FilteredEvent[] {
  const matches = matcherOf(filter);
  return events.filter((event) => event.revision >= from && event.revision <= to && matches(event));
}

function matcherOf(filter: EventFilter): (event: FilteredEvent) => boolean {
  const { command, correlation_id, allowed_by } = filter;
  // A user may have many former ids.
  const [ids, actors, types] = [filter.resource_ids, filter.actors, filter.types].map(
    (list) => list && new Set(list),
  );
  const reason = filter.reason?.toLowerCase();
  return (event) =>
    (!ids || !ids.isDisjointFrom(event.resource_ids)) &&
    (!actors || (event.actor.user_id !== null && actors.has(event.actor.user_id))) &&
    (!types || types.has(event.type)) &&
    (command === undefined || event.command === command) &&
    (correlation_id === undefined || event.correlation_id === correlation_id) &&
    (allowed_by === undefined || event.allowed_by.includes(allowed_by)) &&
    (reason === undefined || (event.reason?.toLowerCase().includes(reason) ?? false));
}
