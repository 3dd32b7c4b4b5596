import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { startServer } from '../../apps/api/server.js';
import { startWorker } from '../../apps/worker/start.js';
import { kurrentTarget } from '../servers/kurrentdb/target.js';
import { startMongo } from '../servers/mongodb/server.js';
import { ops } from '../support/ops.js';

const PASSPHRASE = 'a long enough passphrase';

/** Exports a data folder, imports it into KurrentDB and MongoDB, and serves it there while something is asked. */
export async function movedToServers<T>(
  data_dir: string,
  public_url: string,
  ask: (url: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'moved-'));
  const [kurrent, mongo] = [await kurrentTarget(), await startMongo()];
  try {
    const env = {
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, READ_MODEL: 'mongodb' },
      ...{ MONGODB_URL: mongo.url, MONGODB_DATABASE: mongo.freshDatabase() },
      ...{ MASTER_KEY: 'ab'.repeat(32), SIGNING_KEY: 'cd'.repeat(32) },
      ...{
        PORT: '0',
        PUBLIC_URL: public_url,
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'silent',
        DEFAULT_DISK: '',
      },
    };
    const [file, keys, settings] = ['all.ndjson', 'all.keys', 'servers'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(settings, lines.join(''));
    await run('export', '--out', file, '--keys', keys, '--data-dir', data_dir);
    await run('import', file, '--keys', keys, '--settings', settings);
    const silent = new JsonLogger('silent');
    const worker = await startWorker(loadSettings(env), silent);
    const server = await startServer(loadSettings(env), { logger: silent });
    try {
      // What was imported has no documents yet.
      await worker.worker.idle();
      return await ask(server.url);
    } finally {
      await server.close();
      await worker.close();
    }
  } finally {
    await Promise.all([kurrent.close(), mongo.stop()]);
    rmSync(folder, { recursive: true });
  }
}

async function run(...args: readonly string[]): Promise<void> {
  const { code, err } = await ops(args, { KEYS_PASSPHRASE: PASSPHRASE });
  if (code !== 0) throw new Error(`ops ${args[0]} ended with ${code}: ${err}`);
}
