import { keepPreviousData } from '@tanstack/react-query';
import type { EventTimeline } from '../../api/answers.js';
import { useDriveQuery } from '../../session/use-drive-query.js';
import { isFiltered, queryOf, useEventFilter } from '../event-filter.js';
import { usePoint } from '../point-context.js';
import type { Span } from './scale.js';

/** Pixels of a bar with the gap beside it. */
const BAR = 4;
/** Widths are rounded, so that a resized window asks rarely. */
const ROUNDED_TO = 20;

/** The events of a part of the history, counted for bars that fit into a width. */
export function useHistogram(width: number, zoom: Span | null): EventTimeline | undefined {
  const filter = useEventFilter();
  const { overview } = usePoint();
  const buckets = Math.max(1, Math.round(width / BAR / ROUNDED_TO)) * ROUNDED_TO;
  const query = overview && isFiltered(filter) ? queryOf(filter, overview.types) : {};
  const body = { ...query, ...zoom, buckets };
  const { data } = useDriveQuery(
    ['timeline', body, overview?.to_revision],
    (drive, options) => drive.organization.timeline(body, options),
    {
      enabled: overview !== undefined && query !== null && width > 0,
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    },
  );
  return query === null ? undefined : data;
}
