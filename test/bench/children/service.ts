import { JsonLogger } from '../../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../../apps/api/platform/settings/settings.js';
import { startServer } from '../../../apps/api/server.js';
import { obey, say } from './parent.js';

/** The service under test, configured by its environment. */
const server = await startServer(loadSettings(), { logger: new JsonLogger('error') });
obey(() => server.close());
say({ says: 'ready', port: Number(new URL(server.url).port) });
