import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SigningKey } from '../../libs/application/proofs/digest.js';
import { views } from '../../libs/application/views.js';
import type { DomainSettings } from '../../libs/domain/foundation/decision.js';
import { Drives } from '../../libs/engine/drives/drives.js';
import { type ProcessRole, ROLES } from '../../libs/engine/drives/role.js';
import type { EngineLimits } from '../../libs/engine/drives/limits.js';
import type { WebhookLimits } from '../../libs/engine/webhooks/limits.js';
import type { Webhooks } from '../../libs/engine/webhooks/webhooks.js';
import {
  type Shared,
  type Stores,
  checkStores,
  readSigningKeyOf,
  signingKeyOf,
} from '../../libs/stores/open.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { StoreUnusable } from '../../libs/event-store/port.js';
import { reportingReads } from '../../libs/event-store/reads.js';
import { ApiModule } from './api-module.js';
import { JsonLogger } from './platform/logs/logging.js';
import { Metrics } from './platform/metrics.js';
import { serveOpenApi } from './platform/openapi/serve-openapi.js';
import { configureApp, createFastifyAdapter } from './platform/server.js';
import { frontendUrl, publicUrl, type Settings } from './platform/settings/settings.js';
import { SharedRateLimits } from './platform/shared-rate-limits.js';
import { Nonces } from './drive/nonces.js';
import { type BackgroundThread, inBackground } from '../background/background-thread.js';
import { Closing } from './closing.js';
import { consoleFolder, serveConsole } from './console/serve-console.js';
import { domainSettings, engineLimits } from './engine-settings.js';
import {
  CountedContents,
  observedWrites,
  registerBuild,
  registerDisk,
  registerEngine,
} from './system/engine-metrics.js';
import { noticeTo, reportOnce } from './platform/logs/report-once.js';
import { OPENAPI } from './openapi-document.js';
import { openServedStores } from './process.js';
import { openWebhooks } from './webhooks/open-webhooks.js';

export interface RunningServer {
  readonly app: NestFastifyApplication;
  readonly drives: Drives;
  readonly webhooks: Webhooks;
  readonly stores: Stores;
  readonly logger: JsonLogger;
  /** Base URL of the listening address. */
  readonly url: string;
  /** Finishes accepted work, stores data held only in memory, and closes everything. */
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly logger?: JsonLogger;
  /** Milliseconds since epoch; for tests. */
  readonly clock?: () => number;
  /** Limits of the engine that override the settings; for tests. */
  readonly limits?: Partial<EngineLimits>;
  /** Limits of webhooks that override the settings; for tests. */
  readonly webhook_limits?: Partial<WebhookLimits>;
  /** Open stores; for tests. */
  readonly stores?: Stores;
  /** The server closes it. */
  readonly background?: BackgroundThread;
  /** Called before the server listens. */
  readonly prepare?: (app: NestFastifyApplication) => void;
}

/** Opens the stores and serves the API as configured. */
export async function startServer(
  settings: Settings,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const logger = options.logger ?? new JsonLogger(settings.log_level);
  const stores = options.stores ?? (await openServedStores(settings, logger));
  try {
    return await serve(settings, options, logger, stores);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Unlike a lost master key, it can be replaced, but the digests of both keys differ. */
async function warnOfLostKey(
  settings: Settings,
  { events }: Stores,
  logger: JsonLogger,
): Promise<void> {
  if (settings.side_store !== 'sqlite' || readSigningKeyOf(settings) !== null) return;
  if ((await events.readAll(-1, 1)).length === 0) return;
  logger.warn(
    `signing.key is missing in ${settings.data_dir}: a new one is made, and digests are signed with another key from now on`,
  );
}

async function serve(
  settings: Settings,
  options: ServerOptions,
  logger: JsonLogger,
  stores: Stores,
): Promise<RunningServer> {
  const { background } = options;
  views.most_bytes = settings.shown_cache_bytes;
  const metrics = new Metrics();
  registerBuild(metrics, 'api');
  if (settings.side_store === 'sqlite') registerDisk(metrics, settings.data_dir);
  const report = reportOnce(logger, Date.now, { check: () => checkStores(stores) });
  // The port may be known only after the server listens; the URLs are corrected before the first request.
  const domain: { -readonly [K in keyof DomainSettings]: DomainSettings[K] } =
    domainSettings(settings);
  await warnOfLostKey(settings, stores, logger);
  const drives = new Drives({
    events: stores.on_server
      ? reportingReads(stores.events, (error) => report('events not read', '', error))
      : stores.events,
    side: stores.side,
    read_model: stores.read_model,
    limits: { ...engineLimits(settings), ...options.limits },
    role: roleOf(stores),
    observer: observedWrites(metrics),
    settings: domain,
    report,
    notice: noticeTo(logger),
    ...(options.clock && { clock: options.clock }),
    ...(background && inBackground(background)),
  });
  const webhooks = openWebhooks(settings, drives, {
    ...(options.webhook_limits && { limits: options.webhook_limits }),
    report,
  });
  const closing = new Closing(async (unfinished) => {
    await unfinished.during('webhooks', webhooks.close());
    await drives.close(unfinished);
    if (background) await unfinished.during('the background thread', background.close());
    await unfinished.during('stores', stores.close());
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.of(settings, {
      drives,
      webhooks,
      signing_key: new SigningKey(signingKeyOf(settings)),
      metrics,
      closing,
      contents: new CountedContents(metrics, stores.contents, stores.side.keys),
      nonces: new Nonces(stores.side.nonces),
      ...(stores.shared && { rate_limits: await sharedLimits(settings, stores.shared, logger) }),
    }),
    createFastifyAdapter(settings, logger, metrics),
    { logger, abortOnError: false },
  );
  configureApp(app, logger, metrics);
  serveOpenApi(app, OPENAPI);
  const console_folder = consoleFolder();
  if (console_folder) serveConsole(app.getHttpAdapter().getInstance(), console_folder);
  else logger.warn('the console is not served: it is not built');
  registerEngine(metrics, drives, webhooks);
  options.prepare?.(app);
  await drives.start();
  await drives.all().catch((error: unknown) => {
    if (!drives.damaged.isUnreadable(FACTORY_ID)) throw error;
    throw new StoreUnusable(drives.damaged.get(FACTORY_ID)!.says, { cause: error });
  });
  await webhooks.start();
  await app.listen(settings.port, settings.host);
  const address = app.getHttpServer().address() as AddressInfo;
  domain.host_url = publicUrl(settings, address);
  domain.frontend_url = frontendUrl(settings, address);
  return {
    app,
    drives,
    webhooks,
    stores,
    logger,
    url: publicUrl({ ...settings, public_url: '' } as Settings, address),
    close: () => app.close(),
  };
}

/** Rate limits counted for all processes on the same stores. */
async function sharedLimits(
  { rate_limit_window_ms: window_ms }: Settings,
  shared: Shared,
  logger: JsonLogger,
): Promise<SharedRateLimits> {
  return new SharedRateLimits(await shared.windows(window_ms), window_ms, {
    report: (error) =>
      logger.failure({ what: 'rate limits are counted by this process alone' }, error),
  });
}

function roleOf({ on_server, shared, read_model }: Stores): ProcessRole {
  if (shared === null) return on_server ? ROLES.single : ROLES.embedded;
  return read_model.durable ? ROLES.replica : ROLES.indexing_replica;
}
