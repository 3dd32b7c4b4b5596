import { statfs } from 'node:fs/promises';
import { Contents, type Written } from '../../../libs/engine/contents/contents.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import type { WriteObserver } from '../../../libs/engine/following/write-observer.js';
import type { Webhooks } from '../../../libs/engine/webhooks/webhooks.js';
import type { JobCounts } from '../../../libs/event-store/stores.js';
import type { Metrics } from '../platform/metrics.js';
import { VERSION } from '../version.js';
import { type InMemory, inMemory } from './readiness.js';

/** Registers the release of this process. */
export function registerBuild(metrics: Metrics, process_name: 'api' | 'worker'): void {
  metrics.info('build_info', 'Release of this process; always 1', {
    version: VERSION,
    node_version: process.version,
    process: process_name,
  });
}

/** Registers metrics of writes; returns the observer that records them. */
export function observedWrites(metrics: Metrics): WriteObserver {
  const commits = metrics.histogram(
    'commit_duration_seconds',
    'Time to store the events of commands decided together, with keys and jobs, by outcome',
    ['outcome'],
  );
  const events = metrics.counter('events_appended_total', 'Events stored by this process');
  const bytes = metrics.counter(
    'events_appended_bytes_total',
    'Bytes of the events stored by this process',
  );
  const decided = { accepted: 0, refused: 0, repeated: 0 };
  metrics.outcomes(
    'commands_decided_total',
    'Decided commands, by outcome; a command refused on outdated state is decided again',
    () => decided,
  );
  return {
    committed(outcome, batch, duration_ms) {
      commits.observe({ outcome }, duration_ms / 1000);
      if (outcome !== 'stored') return;
      events.inc(batch.events.length);
      bytes.inc(batch.bytes);
    },
    decided(outcome) {
      decided[outcome]++;
    },
  };
}

/** Contents that count the bytes written and read, in clear. */
export class CountedContents extends Contents {
  private readonly written: { inc(bytes: number): void };
  private readonly sent: { inc(bytes: number): void };

  constructor(metrics: Metrics, ...parts: ConstructorParameters<typeof Contents>) {
    super(...parts);
    this.written = metrics.counter(
      'content_written_bytes_total',
      'Bytes of the content of files stored by this process',
    );
    this.sent = metrics.counter(
      'content_read_bytes_total',
      'Bytes of the content of files read by this process',
    );
  }

  override async write(...given: Parameters<Contents['write']>): Promise<Written> {
    const written = await super.write(...given);
    this.written.inc(written.size);
    return written;
  }

  override async *read(...given: Parameters<Contents['read']>): AsyncGenerator<Buffer, void> {
    for await (const chunk of super.read(...given)) {
      this.sent.inc(chunk.length);
      yield chunk;
    }
  }
}

/** Registers the space on the disk of the data folder. */
export function registerDisk(metrics: Metrics, data_dir: string): void {
  const figure = (name: string, help: string, blocks: 'bavail' | 'blocks'): void =>
    metrics.gauge(name, help, async () => {
      const disk = await statfs(data_dir).catch(() => null);
      return disk && disk[blocks] * disk.bsize;
    });
  figure(
    'data_folder_free_bytes',
    'Free space for the data folder, as far as the service may use it',
    'bavail',
  );
  figure('data_folder_size_bytes', 'Size of the file system of the data folder', 'blocks');
}

/** Registers metrics of the drives and webhooks of a process. */
export function registerEngine(metrics: Metrics, drives: Drives, webhooks: Webhooks): void {
  const figure = (name: string, help: string, read: (at: InMemory) => number): void =>
    metrics.gauge(name, help, () => read(inMemory(drives)));
  figure('drives_in_memory', 'Drives whose state is in memory', (at) => at.drives_in_memory);
  figure(
    'projection_lag_events',
    'Largest lag of a read model behind its stream, in events',
    (at) => at.projection_lag_events,
  );
  metrics.gauge('drives_closed', 'Drives closed to commands', () => drives.damaged.all().length);
  metrics.gauges('drives_damaged', 'Drives with damaged streams, by kind of damage', 'kind', () =>
    drives.damaged.counts(),
  );
  figure(
    'unknown_event_types',
    'Stored event types unknown to this release',
    (at) => at.unknown_events.length,
  );
  metrics.gauge('appends_failing', '1 while appends fail', () => Number(drives.appends.is_failing));
  metrics.gauge('commands_waiting', 'Commands in the queues of drives', () => {
    let waiting = 0;
    for (const drive of drives.inMemory()) waiting += drive.queue.waiting;
    return waiting;
  });
  registerWebhooks(metrics, webhooks);
}

function registerWebhooks(metrics: Metrics, webhooks: Webhooks): void {
  let counting: Promise<JobCounts> | undefined;
  // All figures of one scrape are of one count.
  const counted = (): Promise<JobCounts> =>
    (counting ??= webhooks.waiting().finally(() => (counting = undefined)));
  const figure = (name: string, help: string, read: (jobs: JobCounts) => number): void =>
    metrics.gauge(name, help, async () => read(await counted()));
  figure('webhook_deliveries_waiting', 'Unsent deliveries', (at) => at.waiting);
  figure(
    'webhook_deliveries_quarantined',
    'Quarantined deliveries that are still stored',
    (at) => at.quarantined,
  );
  figure(
    'webhook_reactors_quarantined',
    'Drives whose webhooks are quarantined',
    (at) => at.reactors_quarantined,
  );
  metrics.outcomes(
    'webhook_attempts_total',
    'Delivery attempts of this process, by outcome',
    () => webhooks.attempted,
  );
}
