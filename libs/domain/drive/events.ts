import type { EventSchema } from '../kernel/event.js';
import { FAMILIES } from './families.js';

const by_type = new Map<string, EventSchema>(
  FAMILIES.flatMap(({ events }) => Object.entries(events)),
);

/** Marks of a stored type, undefined for one that this release does not know. */
export function eventSchema(type: string): EventSchema | undefined {
  return by_type.get(type);
}

/** All stored names this release knows. */
export function eventTypes(): readonly string[] {
  return [...by_type.keys()];
}

const family_by_type = new Map(
  FAMILIES.flatMap(({ events, records }) => {
    const [first] = Object.values(records as Readonly<Record<string, { readonly name: string }>>);
    return Object.keys(events).map((type) => [type, first?.name ?? ''] as const);
  }),
);

/** The family of an event, by the name of its first records; `''` for an unknown type. */
export function familyOfEvent(type: string): string {
  return family_by_type.get(type) ?? '';
}
