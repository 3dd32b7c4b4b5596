import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { FACTORY_ID } from '../../../libs/engine/fold/fold.js';
import { harmView } from '../../../libs/engine/following/stream-harm.js';
import {
  StoreUnavailable,
  StreamDeleted,
  publicMessageOf,
} from '../../../libs/event-store/port.js';
import { askReads } from '../../../libs/event-store/reads.js';
import type { JobCounts, OpenReactor } from '../../../libs/event-store/stores.js';
import type { Webhooks } from '../../../libs/engine/webhooks/webhooks.js';
import type { Metrics } from '../platform/metrics.js';
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

/** Whether the event store does one of its two parts. */
export const storePartView = view('StorePart', {
  works: flag(),
  problem: nullable(text('Why not, in one sentence; null while it works')),
});
export type StorePart = Shown<typeof storePartView>;

/** How far this process is from serving everything it should. */
export const readinessView = view('Readiness', {
  ready: flag(),
  stores_answer: flag('False while a store cannot be reached, or has failed for good'),
  appends_succeed: flag('False while events cannot be stored, so that commands answer 503'),
  reads: described(storePartView, 'Reads of events, tried just now'),
  writes: described(
    storePartView,
    'Writes of events, as the last append showed it; while it failed, asked again',
  ),
  drives_in_memory: integer(),
  projection_lag_events: integer('Events that read models are behind their streams, at most'),
  unknown_events: listOf(text(), 'Types of stored events that this release does not know'),
  closed_drives: listOf(text(), 'At most 100 of the organizations that are closed to commands'),
  harmed_drives: listOf(
    harmView,
    'At most 100 of the organizations whose events were harmed in the store, with what to do',
  ),
  standing_webhooks: listOf(text(), 'At most 100 of the organizations whose webhooks are paused'),
});
export type Readiness = Shown<typeof readinessView>;

const MOST_NAMED = 100;

/**
 * Ready: the stores answer and take appends, and no drive holds events of a later release, which another process may
 * know. A harmed stream is harmed for all processes: one that is not ready would take the others' drives away, too.
 */
export async function readiness(drives: Drives): Promise<Readiness> {
  const [reads] = await Promise.all([askEvents(drives), drives.appends.check()]);
  const standing = reads.works ? await askStores(drives) : null;
  const appends_succeed = !drives.appends.is_failing;
  const harmed = drives.harmed.all();
  const is_outdated = harmed.some(({ kind }) => kind === 'unknown-events');
  return {
    ready: standing !== null && appends_succeed && !is_outdated,
    stores_answer: standing !== null,
    appends_succeed,
    reads,
    writes: appends_succeed ? WORKS : failing(drives.appends.public_message, 'written to'),
    ...inMemory(drives),
    closed_drives: harmed.slice(0, MOST_NAMED).map(({ drive_id }) => drive_id),
    harmed_drives: harmed.slice(0, MOST_NAMED),
    standing_webhooks: (standing ?? []).map(({ drive_id }) => drive_id),
  };
}

type InMemory = Pick<Readiness, 'drives_in_memory' | 'projection_lag_events' | 'unknown_events'>;

/** What is known without asking a store. */
function inMemory(drives: Drives): InMemory {
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

async function askEvents({ events }: Drives): Promise<StorePart> {
  try {
    // A process alone on its stores has all drives in memory and would not notice.
    await askReads(events);
    return WORKS;
  } catch (error) {
    if (error instanceof StoreUnavailable) return failing(publicMessageOf(error), 'read');
    // Of one stream, which is named among the harmed ones.
    if (error instanceof StreamDeleted) return WORKS;
    throw error;
  }
}

/** Paused webhooks; null if a store does not answer. */
async function askStores(drives: Drives): Promise<readonly OpenReactor[] | null> {
  try {
    await drives.all();
    if (drives.read_model.durable) await drives.read_model.checkpoint(FACTORY_ID);
    return await drives.side.jobs.standing(MOST_NAMED);
  } catch (error) {
    if (error instanceof Unavailable || error instanceof StoreUnavailable) return null;
    throw error;
  }
}

/** Figures of the engine for `/metrics`. */
export function registerFigures(metrics: Metrics, drives: Drives, webhooks: Webhooks): void {
  const figure = (name: string, help: string, read: (at: InMemory) => number): void =>
    metrics.gauge(name, help, () => read(inMemory(drives)));
  figure('drives_in_memory', 'Drives whose state is in memory', (at) => at.drives_in_memory);
  figure(
    'projection_lag_events',
    'Events that read models are behind their streams, at most',
    (at) => at.projection_lag_events,
  );
  metrics.gauge('drives_closed', 'Drives closed to commands', () => drives.harmed.all().length);
  metrics.gauges('drives_harmed', 'Drives with harmed streams, by what happened', 'kind', () =>
    drives.harmed.counts(),
  );
  figure(
    'unknown_event_types',
    'Stored event types unknown to this release',
    (at) => at.unknown_events.length,
  );
  metrics.gauge('appends_failing', '1 while what is appended cannot be stored', () =>
    Number(drives.appends.is_failing),
  );
  registerWebhookFigures(metrics, webhooks);
  metrics.gauge('commands_waiting', 'Commands that wait for their drive', () => {
    let waiting = 0;
    for (const drive of drives.inMemory()) waiting += drive.queue.waiting;
    return waiting;
  });
}

function registerWebhookFigures(metrics: Metrics, webhooks: Webhooks): void {
  const figure = (name: string, help: string, read: (jobs: JobCounts) => number): void =>
    metrics.gauge(name, help, async () => read(await webhooks.waiting()));
  figure('webhook_deliveries_waiting', 'Deliveries that wait to be sent', (at) => at.waiting);
  figure(
    'webhook_deliveries_quarantined',
    'Deliveries given up, of those still remembered',
    (at) => at.quarantined,
  );
  figure(
    'webhook_reactors_quarantined',
    'Drives whose webhooks are paused',
    (at) => at.reactors_quarantined,
  );
  metrics.counter(
    'webhook_attempts_total',
    'Attempts to deliver, by what became of them',
    () => webhooks.attempted,
  );
}
