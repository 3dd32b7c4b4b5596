import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Contents } from '../../libs/engine/contents/contents.js';
import { ContentSweep } from '../../libs/engine/contents/sweep.js';
import { Drives, Unfinished } from '../../libs/engine/drives/drives.js';
import { ExpiredItems } from '../../libs/engine/drives/expired-items.js';
import { ROLES } from '../../libs/engine/drives/role.js';
import { Worker } from '../../libs/engine/worker/worker.js';
import { checkStores, type Stores } from '../../libs/stores/open.js';
import { reportingReads } from '../../libs/event-store/reads.js';
import { type BackgroundThread, inBackground } from '../background/background-thread.js';
import { domainSettings, engineLimits } from '../api/engine-settings.js';
import type { JsonLogger } from '../api/platform/logs/logging.js';
import { Metrics } from '../api/platform/metrics.js';
import type { Settings } from '../api/platform/settings/settings.js';
import { openServedStores } from '../api/process.js';
import { noticeTo, reportOnce } from '../api/platform/logs/report-once.js';
import { observedWrites, registerBuild, registerEngine } from '../api/system/engine-metrics.js';
import { readiness } from '../api/system/readiness.js';
import { openWebhooks } from '../api/webhooks/open-webhooks.js';
import { serveHealth } from './http.js';
import { registerWorker } from './metrics.js';

/** The stores allow only one process, which needs no worker. */
export class NothingToShare extends Error {
  override readonly name = 'NothingToShare';
  constructor() {
    super(
      'A worker requires EVENT_STORE=kurrentdb and SIDE_STORE=mongodb. With other stores, the API process does the ' +
        'work itself.',
    );
  }
}

export interface RunningWorker {
  readonly worker: Worker;
  readonly drives: Drives;
  readonly url: string;
  readonly unfinished: Unfinished;
  /** Finishes work in progress, releases its partitions, closes everything. */
  close(): Promise<void>;
}

/**
 * Starts a worker. It maintains all data derived from the drives' events (documents, index, tiles, snapshots), sends
 * webhook deliveries and removes expired items.
 * @param background the worker closes it
 * @throws NothingToShare, and errors of opening the stores
 */
export async function startWorker(
  settings: Settings,
  logger: JsonLogger,
  background?: BackgroundThread,
): Promise<RunningWorker> {
  if (settings.side_store !== 'mongodb') throw new NothingToShare();
  const stores = await openServedStores(settings, logger);
  try {
    return await run(settings, logger, stores, background);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Wait before webhooks are started again after a failure, ms. */
const WEBHOOKS_RETRY_MS = 5_000;

async function run(
  settings: Settings,
  logger: JsonLogger,
  stores: Stores,
  background: BackgroundThread | undefined,
): Promise<RunningWorker> {
  const report = reportOnce(logger, Date.now, { check: () => checkStores(stores) });
  const { port } = settings;
  const metrics = new Metrics();
  registerBuild(metrics, 'worker');
  const drives = new Drives({
    events: reportingReads(stores.events, (error) => report('events not read', '', error)),
    side: stores.side,
    read_model: stores.read_model,
    limits: engineLimits(settings),
    settings: domainSettings(settings),
    role: ROLES.worker,
    observer: observedWrites(metrics),
    report,
    notice: noticeTo(logger),
    ...(background && inBackground(background)),
  });
  const webhooks = openWebhooks(settings, drives, { report });
  const startWebhooks = (): void =>
    void webhooks.start().catch((error: unknown) => {
      report('webhooks not started', '', error);
      setTimeout(startWebhooks, WEBHOOKS_RETRY_MS).unref();
    });
  const worker = new Worker({
    drives,
    leases: stores.shared!.leases,
    owner: `${hostname()}-${process.pid}-${randomUUID()}`,
    partitions: settings.worker_partitions,
    lease_ms: settings.worker_lease_ms,
    report: (what, error) => report(what, '', error),
    taken: startWebhooks,
  });
  await drives.start();
  await worker.start();
  const expired = new ExpiredItems({
    drives,
    failed: (drive_id, error) => report('expired items not removed', drive_id, error),
  });
  expired.start();
  const content = new ContentSweep({
    drives,
    contents: new Contents(stores.contents, stores.side.keys),
    failed: (drive_id, error) => report('content not swept', drive_id, error),
  });
  content.start();
  registerEngine(metrics, drives, webhooks);
  registerWorker(metrics, worker, settings.worker_partitions);
  const ready = async () => {
    const own = worker.report();
    const process_report = await readiness(drives);
    return { ...process_report, ...own, ready: process_report.ready && !own.stuck };
  };
  const http = await serveHealth({ ready, metrics }, port, settings.host);
  const unfinished = new Unfinished();
  const close = async (): Promise<void> => {
    await unfinished.during('the HTTP server', http.close());
    await unfinished.during('expired items', expired.close());
    await unfinished.during('content', content.close());
    await unfinished.during('partitions', worker.close());
    await unfinished.during('webhooks', webhooks.close());
    await drives.close(unfinished);
    if (background) await unfinished.during('the background thread', background.close());
    await unfinished.during('stores', stores.close());
  };
  return { worker, drives, url: http.url, unfinished, close };
}
