import { engineLimits } from '../../../apps/api/engine-settings.js';
import { JsonLogger } from '../../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../../apps/api/platform/settings/settings.js';
import { startServer } from '../../../apps/api/server.js';
import { BackgroundThread } from '../../../apps/background/background-thread.js';
import { obey, say } from './parent.js';

/** The service under test, configured by its environment. */
const settings = loadSettings();
const background = BackgroundThread.for(settings, engineLimits(settings).state_cache_bytes);
const server = await startServer(settings, {
  logger: new JsonLogger('error'),
  ...(background && { background }),
});
obey(() => server.close());
say({ says: 'ready', port: Number(new URL(server.url).port) });
