import { useMemo } from 'react';
import type { TimelineEventType } from '../api/answers.js';
import { useView } from './use-view.js';

/** Which events the timeline and its steps show; part of the address. */
export interface EventFilter {
  /** A user id. */
  readonly person: string | null;
  /** A family of `timeline`. */
  readonly family: string | null;
  /** Types of events. */
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
export interface EventQuery {
  actor?: string;
  types?: string[];
}

/**
 * The query of a filter.
 * @param types that occur in the history, with their families
 */
export function queryOf(
  { person, family, kinds }: EventFilter,
  types: readonly TimelineEventType[],
): EventQuery {
  const of_family = types.filter((one) => one.family === family).map(({ type }) => type);
  const wanted = kinds.length > 0 ? [...kinds] : of_family;
  return { ...(person && { actor: person }), ...(wanted.length > 0 && { types: wanted }) };
}

export function isFiltered({ person, family, kinds }: EventFilter): boolean {
  return person !== null || family !== null || kinds.length > 0;
}
