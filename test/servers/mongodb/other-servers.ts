import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { freePort } from '../../support/processes.js';

/** A MongoDB of its own for a process of tests, a replica set of one node. */
export interface OwnMongo {
  readonly url: string;
  /** Where its files lie; null if that is out of reach. */
  readonly folder: string | null;
  stop(): Promise<void>;
}

const REPLICA_SET = 'tests';
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** The image that the service is deployed with. */
const COMPOSE_FILE = join(import.meta.dirname, '../../../docker-compose.yml');

const served = (port: number): string[] => [
  ...['--replSet', REPLICA_SET, '--port', String(port), '--wiredTigerCacheSizeGB', '0.25'],
];

/** `mongod` in PATH, as a child of this process. */
export async function startMongod(): Promise<OwnMongo> {
  const folder = mkdtempSync(join(tmpdir(), 'mongod-'));
  const port = await freePort();
  const args = [...served(port), '--dbpath', folder, '--bind_ip', '127.0.0.1', '--quiet'];
  const child = spawn('mongod', args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  ended.catch(() => {});
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return initiated(port, folder, stop);
}

/** A container, which ends with `stop`. */
export async function startContainer(): Promise<OwnMongo> {
  const [, image] = /image: (mongo:\S+)/.exec(readFileSync(COMPOSE_FILE, 'utf8'))!;
  const port = await freePort();
  const run = ['run', '--detach', '--rm', '--publish', `127.0.0.1:${port}:${port}`, image!];
  const id = docker(...run, ...served(port), '--bind_ip_all');
  return initiated(port, null, async () => void docker('rm', '--force', '--volumes', id));
}

function docker(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('docker', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`docker ${args[0]} failed: ${stderr}`);
  return stdout.trim();
}

/** Makes a server that starts a replica set of itself, and waits until it takes writes. */
async function initiated(
  port: number,
  folder: string | null,
  stop: () => Promise<void>,
): Promise<OwnMongo> {
  const host = `127.0.0.1:${port}`;
  const timeout = { serverSelectionTimeoutMS: READY_WITHIN_MS };
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`, timeout);
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host }];
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    const until = Date.now() + READY_WITHIN_MS;
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
      if (Date.now() > until) throw new Error(`MongoDB at ${host} did not become primary in time`);
      await after(LOOK_EVERY_MS);
    }
    return { url: `mongodb://${host}/?replicaSet=${REPLICA_SET}`, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await client.close();
  }
}
