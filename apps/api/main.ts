import { DataFolderInUse } from '../../libs/event-store/sqlite/index.js';
import { JsonLogger } from './platform/logging.js';
import { loadSettings, SettingsError } from './platform/settings.js';
import { installShutdown } from './platform/shutdown.js';
import { startServer } from './server.js';

/** Starts the service; a bad setting or a data folder in use ends it with a sentence. */
async function main(): Promise<void> {
  const settings = loadSettings();
  const logger = new JsonLogger(settings.log_level);
  const server = await startServer(settings, {
    logger,
    prepare: (app) => void installShutdown(app, settings.shutdown_timeout_ms, logger),
  });
  logger.log(`listening on ${server.url}`);
}

main().catch((error: unknown) => {
  const expected = error instanceof SettingsError || error instanceof DataFolderInUse;
  const code = (error as { code?: unknown }).code;
  if (expected) console.error(error.message);
  else if (code === 'EADDRINUSE') console.error('PORT: the port is in use by another process.');
  else console.error(error);
  process.exit(1);
});
