import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { openStores, type Stores } from '../../libs/stores/open.js';
import { BackgroundThread } from '../background/background-thread.js';
import { engineLimits } from './engine-settings.js';
import { JsonLogger } from './platform/logs/logging.js';
import {
  loadSettings,
  misspelledSettings,
  SECRET_SETTINGS,
  type Settings,
} from './platform/settings/settings.js';

/** What an API process and a worker have from the start. @throws SettingsError */
export function beginProcess(): {
  settings: Settings;
  logger: JsonLogger;
  background: BackgroundThread | undefined;
} {
  // Only the user of the process may read the files that it creates.
  process.umask(0o077);
  const settings = loadSettings();
  // Removes secrets from the environment of this process and its children.
  for (const name of SECRET_SETTINGS) delete process.env[name];
  const logger = new JsonLogger(settings.log_level);
  for (const sentence of misspelledSettings()) logger.warn(sentence);
  const background = BackgroundThread.for(settings, engineLimits(settings).state_cache_bytes);
  return { settings, logger, background };
}

/** Opens the stores to be served; waits for servers that are not there yet. */
export function openServedStores(settings: Settings, logger: JsonLogger): Promise<Stores> {
  return openStores(settings, {
    to: 'serve',
    schema: READ_SCHEMA,
    max_append_bytes: settings.batch_max_bytes,
    waiting: (message) => logger.warn(`waiting for a store: ${message}`),
  });
}
