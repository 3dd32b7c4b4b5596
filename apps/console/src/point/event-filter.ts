import { useMemo } from 'react';
import type { TimelineEventType } from '../api/answers.js';
import { texts } from '../texts.js';
import { useView } from './use-view.js';

/** Which events the timeline and its steps show; part of the address. */
export interface EventFilter {
  /** A user id. */
  readonly person: string | null;
  /** A family of `timeline`. */
  readonly family: string | null;
  readonly kinds: readonly string[];
}

export function useEventFilter(): EventFilter {
  const { params } = useView();
  const [person, family, kind] = ['person', 'family', 'kind'].map((name) => params.get(name));
  return useMemo(
    () => ({ person: person || null, family: family || null, kinds: kind ? kind.split(',') : [] }),
    [person, family, kind],
  );
}

/** Members of a query for events, as `history` and `timeline` take them. */
interface EventQuery {
  actor?: string;
  types?: string[];
}

/**
 * The query of a filter; null if no event can match, as no event is of its family.
 * @param types that occur in the history, with their families
 */
export function queryOf(
  { person, family, kinds }: EventFilter,
  types: readonly TimelineEventType[],
): EventQuery | null {
  const of_family = types.filter((one) => one.family === family).map(({ type }) => type);
  // Without types, the query would be one for all events.
  if (family !== null && kinds.length + of_family.length === 0) return null;
  const wanted = kinds.length > 0 ? [...kinds] : of_family;
  return { ...(person && { actor: person }), ...(wanted.length > 0 && { types: wanted }) };
}

/** True for a family that events may have, also if this organization has none of it. */
export function isFamily(family: string): boolean {
  return Object.hasOwn(texts.event_families, family);
}

export function isFiltered({ person, family, kinds }: EventFilter): boolean {
  return person !== null || family !== null || kinds.length > 0;
}

/** The name of a family for people. */
export function familyName(family: string): string {
  const names: Readonly<Record<string, string>> = texts.event_families;
  return Object.hasOwn(names, family) ? names[family]! : family;
}

/** The name of a type of events in words: `Group invite redeemed` for `GroupInviteRedeemed`. */
export function kindName(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
