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
  { from, to }: RevisionRange,
): number[] {
  return events
    .filter(({ revision }) => revision >= from && revision <= to)
    .filter((event) => matches(event, filter))
    .map(({ revision }) => revision);
}

function matches(event: FilteredEvent, filter: EventFilter): boolean {
  const { resource_ids, actors, types, command, correlation_id, allowed_by, reason } = filter;
  const { user_id } = event.actor;
  return (
    (!resource_ids || resource_ids.some((id) => event.resource_ids.has(id))) &&
    (!actors || (user_id !== null && actors.includes(user_id))) &&
    (!types || types.includes(event.type)) &&
    (command === undefined || event.command === command) &&
    (correlation_id === undefined || event.correlation_id === correlation_id) &&
    (allowed_by === undefined || event.allowed_by.includes(allowed_by)) &&
    (reason === undefined || (event.reason?.toLowerCase().includes(reason.toLowerCase()) ?? false))
  );
}
