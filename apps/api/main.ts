import { EventFeeds } from '../../libs/application/feed/feed.js';
import { Signalling } from '../../libs/application/signalling/signalling.js';
import { SettingsError } from '../../libs/settings/read.js';
import { startupErrorOf } from '../../libs/stores/startup-errors.js';
import { Closing } from './closing.js';
import { installShutdown } from './platform/shutdown.js';
import { beginProcess } from './process.js';
import { startServer } from './server.js';

/** Starts the service; exits with a message on an invalid setting or unusable store. */
async function main(): Promise<void> {
  const { settings, logger, background } = beginProcess();
  const server = await startServer(settings, {
    logger,
    ...(background && { background }),
    prepare(app) {
      const { shutdown_timeout_ms: timeout_ms, close_timeout_ms } = settings;
      const unfinished = (): readonly string[] => app.get(Closing).unfinished.names;
      const bounds = { timeout_ms, close_timeout_ms, unfinished };
      const { signal } = installShutdown(app, bounds, logger);
      signal.addEventListener('abort', () => {
        app.get(EventFeeds).end();
        app.get(Signalling).end();
      });
    },
  });
  logger.log(`listening on ${server.url}`);
}

main().catch((error: unknown) => {
  const { code } = error as NodeJS.ErrnoException;
  const expected = error instanceof SettingsError ? error : startupErrorOf(error);
  if (expected) console.error(expected.message);
  else if (code === 'EADDRINUSE') console.error('PORT: the port is in use by another process.');
  else if (code === 'EACCES')
    console.error(`PORT or DATA_DIR: permission denied (${String(error)}).`);
  else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    console.error('HOST: the address does not belong to this machine.');
  else console.error(error);
  process.exit(1);
});
