import { eventTypes, familyOfEvent } from '../../domain/drive/events.js';
import type { Context } from '../../domain/foundation/decision.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { integer, listOf, type Shown, text, view } from '../../domain/kernel/view.js';
import type { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { IndexedEvents } from '../../engine/read-models/indexed-events.js';
import { timeOfEvent } from '../../event-store/existing-events.js';
import type { EventFilter, RevisionRange } from '../../event-store/stores.js';
import { admitQuery, throwIfAbandoned } from '../../engine/tasks/long-query.js';
import { auditQuery } from '../drive-query.js';
import { type EventQuery, filterOf, rangeOf, refuseRange } from './event-query.js';
import { unknownIn } from './known-names.js';

/** Matches that are read from the index at a time. */
const MATCHES_PER_READ = 50_000;

interface EventTimelineInput extends EventQuery {
  readonly buckets: number;
}

const bucketView = view('TimelineBucket', {
  from_ms: integer('Start of the bucket; it ends before from_ms + bucket_ms'),
  from_revision: integer('Its first matching event'),
  to_revision: integer('Its last matching event'),
  count: integer('Its matching events'),
});
type Bucket = Shown<typeof bucketView>;

const eventTypeView = view('TimelineEventType', {
  type: text({ example: 'GroupCreated' }),
  family: text({ description: 'Family of records that it belongs to', example: 'groups' }),
  count: integer('Events of this type in the range that match all filters but types'),
});

/** How many events there were when. */
export const eventTimelineView = view('EventTimeline', {
  from_ms: integer('Start of the first bucket'),
  to_ms: integer('End of the range: its last event, or the given to_ms'),
  bucket_ms: integer('Length of a bucket'),
  from_revision: integer('First revision of the range'),
  to_revision: integer('Last revision of the range'),
  total: integer('Matching events'),
  buckets: listOf(bucketView, 'In order of time, without those that have no matching event'),
  types: listOf(eventTypeView, 'Types of the events in the range'),
});
export type EventTimeline = Shown<typeof eventTimelineView>;

export const GetEventTimeline = auditQuery<EventTimelineInput, EventTimeline>(
  'GetEventTimeline',
  timeline,
);

async function timeline(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: EventTimelineInput,
): Promise<EventTimeline | Refusal> {
  const { drive_id } = drive;
  const { revision: head } = drive.head;
  const refused = refuseRange(input, head);
  if (refused) return refused;
  const filter = filterOf(context.state, input);
  admitQuery();
  const indexed = await drives.indexer.upTo(drive_id, head);
  const unknown = await unknownIn(drives, drive, context, input, indexed);
  if (unknown) return unknown;
  const range = await rangeOf(drives, drive_id, input, head);
  const is_empty = range.from > range.to;
  const timeOf = (revision: number): Promise<number> =>
    timeOfEvent(drives.events, streamOf(drive_id), revision);
  const from_ms = input.from_ms ?? (is_empty ? (input.to_ms ?? 0) : await timeOf(range.from));
  const to_ms = input.to_ms ?? (is_empty ? from_ms : await timeOf(range.to));
  const bucket_ms = Math.max(1, Math.ceil((to_ms - from_ms + 1) / input.buckets));
  const count = Math.ceil((to_ms - from_ms + 1) / bucket_ms);
  const stream = streamOf(drive_id);
  const ends = await lastRevisions(range, count, (bucket) =>
    drives.events.findRevisionByTime(stream, from_ms + (bucket + 1) * bucket_ms - 1),
  );
  const places = await placesOf(indexed, filter, range, ends);
  const buckets = places.map(({ bucket, ...place }) => ({
    from_ms: from_ms + bucket * bucket_ms,
    ...place,
  }));
  const types = await typesOf(indexed, filter, range);
  const total = buckets.reduce((sum, place) => sum + place.count, 0);
  const span = { from_revision: range.from, to_revision: range.to };
  return { from_ms, to_ms, bucket_ms, ...span, total, buckets, types };
}

/**
 * The last revision of each bucket or of one before it, within the range. Buckets between two with the same revision
 * are not searched for, so a few events in many buckets cost little.
 * @param find the last revision before the end of a bucket
 */
async function lastRevisions(
  { from, to }: RevisionRange,
  count: number,
  find: (bucket: number) => Promise<number>,
): Promise<number[]> {
  const ends = Array.from({ length: count }, () => to);
  const search = async (first: number, last: number, low: number, high: number): Promise<void> => {
    if (first > last) return;
    if (low === high) {
      ends.fill(low, first, last + 1);
      return;
    }
    const middle = Math.floor((first + last) / 2);
    const found = Math.min(to, Math.max(from - 1, await find(middle)));
    ends[middle] = found;
    await Promise.all([
      search(first, middle - 1, low, found),
      search(middle + 1, last, found, high),
    ]);
  };
  // The last bucket ends with the range.
  await search(0, count - 2, from - 1, to);
  return ends;
}

type Place = Omit<Bucket, 'from_ms'> & { readonly bucket: number };

/** Buckets with matching events, by number. */
async function placesOf(
  indexed: IndexedEvents,
  filter: EventFilter,
  range: RevisionRange,
  ends: readonly number[],
): Promise<Place[]> {
  const places: Place[] = [];
  let bucket = 0;
  const add = (first: number, last: number, count: number): void => {
    while (ends[bucket]! < first) bucket++;
    const place = places.at(-1);
    if (place?.bucket !== bucket)
      places.push({ bucket, from_revision: first, to_revision: last, count });
    else places[places.length - 1] = { ...place, to_revision: last, count: place.count + count };
  };
  if (Object.keys(filter).length === 0) {
    let first = range.from;
    for (const last of ends) {
      if (last >= first) add(first, last, last - first + 1);
      first = Math.max(first, last + 1);
    }
    return places;
  }
  for (let { from } = range; from <= range.to;) {
    throwIfAbandoned();
    const rest = { from, to: range.to };
    const found = await indexed.find(filter, rest, 'ASC', MATCHES_PER_READ);
    for (const revision of found) add(revision, revision, 1);
    if (found.length < MATCHES_PER_READ) break;
    from = found.at(-1)! + 1;
  }
  return places;
}

/** Types that occur in the range, in the order of the families. */
async function typesOf(
  indexed: IndexedEvents,
  { types: _, ...filter }: EventFilter,
  range: RevisionRange,
): Promise<EventTimeline['types']> {
  if (range.from > range.to) return [];
  const types = eventTypes();
  const counts = await indexed.countTypes(filter, types, range);
  return types.flatMap((type, at) => {
    const count = counts[at]!;
    return count > 0 ? [{ type, family: familyOfEvent(type), count }] : [];
  });
}
