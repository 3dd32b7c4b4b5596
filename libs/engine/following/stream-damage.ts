import {
  causesOf,
  EventMissing,
  type EventStore,
  EventsUnusable,
  ForeignEvent,
  type Retention,
  StreamDeleted,
} from '../../event-store/port.js';
import { KeyDoesNotOpen } from '../../event-store/stores.js';
import { BrokenStream, driveOf, streamOf } from '../fold/fold.js';
import { oneOf, type Shown, text, view } from '../../domain/kernel/view.js';

/** Kinds of damage that other programs can do to a drive's stream. */
export const DAMAGE_KINDS = [
  /** The store may drop events; none are missing yet. */
  'limited',
  /** The first events are missing. */
  'cut',
  /** The stream was deleted. */
  'deleted',
  /** Another program appended an event. */
  'foreign-event',
  /** The events do not match each other. */
  'broken',
  /** The stream holds events of a later release. */
  'unknown-events',
] as const;

export type DamageKind = (typeof DAMAGE_KINDS)[number];

export const damageView = view('Damage', {
  drive_id: text('The organization, or "factory"'),
  kind: oneOf(DAMAGE_KINDS),
  says: text('What is wrong where, and what to do'),
});
export type Damage = Shown<typeof damageView>;

/** Maximum foreign events searched for the first one. */
const MOST_FOREIGN = 1_000;
/** Maximum revision; the store uses it for "everything". */
const ALL = 2 ** 53;
/** Where an operator reads on. */
export const DAMAGE_HELP = 'see "Damaged streams" in docs/operations.md';

/**
 * The damage of a drive's stream according to the store; null if there is none. A stream without events is not damaged.
 */
export async function damageOf(
  events: Pick<EventStore, 'head' | 'readStream' | 'retention'>,
  drive_id: string,
): Promise<Damage | null> {
  const stream = streamOf(drive_id);
  try {
    const retention = await events.retention?.(stream);
    if (retention && (retention.truncate_before ?? 0) >= ALL) return deleted(drive_id, false);
    const head = await events.head(stream);
    const [first] = await events.readStream(stream, 0, 'forward', 1);
    const is_whole = head === null || first?.revision === 0;
    if (retention) return limited(drive_id, retention, is_whole);
    return is_whole ? null : cut(drive_id);
  } catch (error) {
    const damage = damageIn(drive_id, error);
    if (!damage) throw error;
    return error instanceof ForeignEvent ? foreign(await firstForeign(events, error)) : damage;
  }
}

/** The damage that an error of reading, folding or appending reveals; null for none. */
export function damageIn(drive_id: string, error: unknown): Damage | null {
  for (const at of causesOf(error)) {
    if (at instanceof StreamDeleted) return deleted(drive_id, at.for_good);
    if (at instanceof ForeignEvent) return foreign(at);
    if (at instanceof EventsUnusable) return newDamage(drive_id, 'broken', `${at.message}.`);
    if (at instanceof KeyDoesNotOpen)
      return newDamage(drive_id, 'broken', `${at.message}: restore the keys from a backup.`);
    if (at instanceof EventMissing)
      return broken(driveOf(at.stream) ?? at.stream, at.revision, 'it is missing');
    if (at instanceof BrokenStream && !(at.cause instanceof Error))
      return broken(drive_id, at.revision, at.reason);
  }
  return null;
}

/** What a read gives; this other value if it fails since the stream is damaged, which stops no other drive. */
export async function unlessDamaged<T>(
  drive_id: string,
  reading: Promise<T>,
  otherwise: T,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (damageIn(drive_id, error)) return otherwise;
    throw error;
  }
}

/** The damage of a drive that is closed until a later release runs. */
export function unknownEvents(drive_id: string, types: Iterable<string>): Damage {
  const named = [...types].join(', ');
  return newDamage(
    drive_id,
    'unknown-events',
    `Stream ${streamOf(drive_id)} holds events of a later release (${named}); run that release.`,
  );
}

const newDamage = (drive_id: string, kind: DamageKind, says: string): Damage => ({
  drive_id,
  kind,
  says,
});

/** The first of the foreign events at the end of a stream. */
async function firstForeign(
  events: Pick<EventStore, 'readStream'>,
  found: ForeignEvent,
): Promise<ForeignEvent> {
  let first = found;
  for (let searched = 0; searched < MOST_FOREIGN && first.revision > 0; searched++)
    try {
      await events.readStream(first.stream, first.revision - 1, 'backward', 1);
      return first;
    } catch (error) {
      if (!(error instanceof ForeignEvent)) throw error;
      first = error;
    }
  return first;
}

function foreign({ stream, revision, type }: ForeignEvent): Damage {
  const drive_id = driveOf(stream) ?? stream;
  const way_out =
    revision === 0
      ? `No event of this service is before it: import the organization from an export elsewhere`
      : `Export up to revision ${revision - 1} (ops export --to ${revision - 1}) and import that elsewhere`;
  return newDamage(
    drive_id,
    'foreign-event',
    `Stream ${stream}: another program appended the event at revision ${revision} (${type}). ` +
      `${way_out}; ${DAMAGE_HELP}.`,
  );
}

function deleted(drive_id: string, for_good: boolean): Damage {
  const way_out = for_good
    ? 'with a tombstone, so it never comes back: import the organization from an export or a backup elsewhere'
    : 'softly: take $tb off its metadata before the next scavenge, and its events are back';
  return newDamage(
    drive_id,
    'deleted',
    `Stream ${streamOf(drive_id)} was deleted ${way_out}; ${DAMAGE_HELP}.`,
  );
}

function cut(drive_id: string): Damage {
  return newDamage(
    drive_id,
    'cut',
    `Stream ${streamOf(drive_id)} has lost its first events: import the organization from an export or a ` +
      `backup elsewhere; ${DAMAGE_HELP}.`,
  );
}

function limited(drive_id: string, retention: Retention, is_whole: boolean): Damage {
  return newDamage(
    drive_id,
    is_whole ? 'limited' : 'cut',
    `The metadata of ${streamOf(drive_id)} lets the event store drop all events ${limitsOf(retention)}: take that ` +
      `off, since a stream without its first events is not served. Until the next scavenge they are all there; ${DAMAGE_HELP}.`,
  );
}

/** Which events retention drops, to complete a sentence. */
function limitsOf({ max_age_s, max_count, truncate_before }: Retention): string {
  return [
    max_age_s !== null && `older than ${max_age_s} seconds ($maxAge)`,
    max_count !== null && `but the last ${max_count} ($maxCount)`,
    truncate_before !== null && `before revision ${truncate_before} ($tb)`,
  ]
    .filter((one) => one !== false)
    .join(', all ');
}

function broken(drive_id: string, revision: number, reason: string): Damage {
  return newDamage(
    drive_id,
    'broken',
    `Stream ${streamOf(drive_id)} is broken at revision ${revision}: ${reason}. ops verify shows more; ${DAMAGE_HELP}.`,
  );
}
