import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { FACTORY_ID } from '../../../libs/engine/fold/fold.js';
import { damageView } from '../../../libs/engine/following/stream-damage.js';
import {
  StoreUnavailable,
  StreamDeleted,
  publicMessageOf,
} from '../../../libs/event-store/port.js';
import { checkReads } from '../../../libs/event-store/reads.js';
import type { OpenReactor } from '../../../libs/event-store/stores.js';
import {
  described,
  flag,
  integer,
  listOf,
  nullable,
  type Shown,
  text,
  view,
} from '../../../libs/domain/kernel/view.js';

export const rootView = view('Root', { root: flag<true>({ example: true }) });
export const healthView = view('Health', { message: text({ example: 'OK' }) });

/** Status of reads or writes of the event store. */
const storePartView = view('StorePart', {
  works: flag(),
  problem: nullable(text('The problem in one sentence; null if `works` is true')),
});
export type StorePart = Shown<typeof storePartView>;

/** Readiness of this process, with details. */
export const readinessView = view('Readiness', {
  ready: flag(),
  stores_answer: flag('False while a store cannot be reached, or after it has failed permanently'),
  appends_succeed: flag('False while events cannot be stored; commands then return 503'),
  reads: described(storePartView, 'Reads of events, tried for this response'),
  writes: described(
    storePartView,
    'Writes of events: the result of the last append; after a failure, the store is checked again',
  ),
  drives_in_memory: integer(),
  projection_lag_events: integer('Largest lag of a read model behind its stream, in events'),
  unknown_events: listOf(text(), 'Types of stored events that are unknown to this release'),
  closed_drives: listOf(text(), 'Organizations closed to commands, at most 100'),
  damaged_drives: listOf(
    damageView,
    'Organizations with damaged event streams, at most 100, each with the remedy',
  ),
  quarantined_webhooks: listOf(text(), 'Organizations whose webhooks are quarantined, at most 100'),
});
export type Readiness = Shown<typeof readinessView>;

const MOST_NAMED = 100;

/**
 * A process is ready if the stores answer, appends succeed, and no drive contains events of a later release, which
 * another process may know. A damaged stream does not affect readiness: it is damaged for all processes, and the
 * other drives would become unavailable, too.
 */
export async function readiness(drives: Drives): Promise<Readiness> {
  const [reads] = await Promise.all([stateOfReads(drives), drives.appends.check()]);
  const quarantined = reads.works ? await quarantinedReactors(drives) : null;
  const appends_succeed = !drives.appends.is_failing;
  const damaged = drives.damaged.all();
  const is_outdated = damaged.some(({ kind }) => kind === 'unknown-events');
  return {
    ready: quarantined !== null && appends_succeed && !is_outdated,
    stores_answer: quarantined !== null,
    appends_succeed,
    reads,
    writes: appends_succeed ? WORKS : failing(drives.appends.public_message, 'written to'),
    ...inMemory(drives),
    closed_drives: damaged.slice(0, MOST_NAMED).map(({ drive_id }) => drive_id),
    damaged_drives: damaged.slice(0, MOST_NAMED),
    quarantined_webhooks: (quarantined ?? []).map(({ drive_id }) => drive_id),
  };
}

export type InMemory = Pick<
  Readiness,
  'drives_in_memory' | 'projection_lag_events' | 'unknown_events'
>;

/** Figures from memory, without a query to a store. */
export function inMemory(drives: Drives): InMemory {
  let [drives_in_memory, projection_lag_events] = [0, 0];
  const unknown = new Set<string>();
  for (const drive of drives.inMemory()) {
    // The factory's own stream is handled like a drive but is none.
    if (drive.drive_id !== FACTORY_ID) drives_in_memory++;
    projection_lag_events = Math.max(projection_lag_events, drive.lag_events);
    for (const type of drive.state.unknown_events) unknown.add(type);
  }
  return { drives_in_memory, projection_lag_events, unknown_events: [...unknown] };
}

const WORKS: StorePart = { works: true, problem: null };

function failing(message: string | null, what: string): StorePart {
  return { works: false, problem: `${message ?? `The event store cannot be ${what}`}.` };
}

async function stateOfReads({ events }: Drives): Promise<StorePart> {
  try {
    // If this is the only process, the list of drives is in memory, and no other read would fail.
    await checkReads(events);
    return WORKS;
  } catch (error) {
    if (error instanceof StoreUnavailable) return failing(publicMessageOf(error), 'read');
    // Concerns one stream, which is listed in `damaged_drives`.
    if (error instanceof StreamDeleted) return WORKS;
    throw error;
  }
}

/** Checks the stores; returns the quarantined reactors, or null if a store does not answer. */
async function quarantinedReactors(drives: Drives): Promise<readonly OpenReactor[] | null> {
  try {
    await drives.all();
    if (drives.read_model.durable) await drives.read_model.checkpoint(FACTORY_ID);
    return await drives.side.jobs.quarantinedReactors(MOST_NAMED);
  } catch (error) {
    if (error instanceof Unavailable || error instanceof StoreUnavailable) return null;
    throw error;
  }
}
