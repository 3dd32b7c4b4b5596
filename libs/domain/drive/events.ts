import type { EventMarks } from '../kernel/event.js';
import { FAMILIES } from './families.js';

const by_type = new Map<string, EventMarks>(
  FAMILIES.flatMap(({ events }) => Object.entries(events)),
);

/** Marks of a stored type, undefined for one that this release does not know. */
export function eventMarks(type: string): EventMarks | undefined {
  return by_type.get(type);
}

/** All stored names this release knows. */
export function eventTypes(): readonly string[] {
  return [...by_type.keys()];
}
