import { SettingsError } from '../../libs/settings/read.js';
import { startupErrorOf } from '../../libs/stores/startup-errors.js';
import { onStopSignals } from '../../libs/threads/stop-signals.js';
import { beginProcess } from '../api/process.js';
import { NothingToShare, startWorker } from './start.js';

/** Starts a worker; exits with a message on an invalid setting or unusable store. */
async function main(): Promise<void> {
  const { settings, logger, background } = beginProcess();
  const worker = await startWorker(settings, logger, background);
  logger.log(`worker listening on ${worker.url}`);
  const stop = (signal: string): void => {
    logger.log(`${signal}: shutting down`);
    // Other workers take over unfinished work, so an orderly end is not required.
    const { shutdown_timeout_ms: timeout_ms } = settings;
    setTimeout(() => {
      const { names } = worker.unfinished;
      logger.warn(`shutdown: not closed within ${timeout_ms} ms: ${names.join(', ')}`);
      process.exit(1);
    }, timeout_ms).unref();
    worker.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.failure({ signal }, error);
        process.exit(1);
      },
    );
  };
  onStopSignals(stop, () => process.exit(1));
}

main().catch((error: unknown) => {
  const is_expected = error instanceof SettingsError || error instanceof NothingToShare;
  console.error(is_expected ? error.message : (startupErrorOf(error)?.message ?? error));
  process.exit(1);
});
