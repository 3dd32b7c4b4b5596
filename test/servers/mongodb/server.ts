import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { MongoClient } from 'mongodb';

import { goProgram } from '../../support/go-programs.js';
import { thisMachine } from '../../support/machine.js';
import { mongoProvider, NEEDS } from '../../support/needs.js';
import { startContainer, startMongod } from './other-servers.js';

/** How long the hook that starts a server may take where `npm test` has not built it ahead, ms. */
export const START_TIMEOUT_MS = 600_000;

/** A server that speaks MongoDB's protocol. */
export interface MongoServer {
  readonly url: string;
  /** Where its files lie; null if it is somebody else's. */
  readonly folder: string | null;
  /** A name for a database of one's own; it is dropped when the server is let go. */
  freshDatabase(): string;
  stop(): Promise<void>;
}

/**
 * The server at `MONGODB_URL`, or one of its own with a fresh state: the program in Go, `mongod` or a container.
 * @throws Error if this machine has none of them
 */
export async function startMongo(): Promise<MongoServer> {
  switch (mongoProvider(thisMachine())) {
    case 'url':
      return sharedServer(process.env.MONGODB_URL!);
    case 'go':
      return ownServer();
    case 'mongod':
      return { ...(await startMongod()), freshDatabase: databaseName };
    case 'docker':
      return { ...(await startContainer()), freshDatabase: databaseName };
    case null:
      throw new Error(`no MongoDB server can be started: ${NEEDS.mongodb.advice}`);
  }
}

function sharedServer(url: string): MongoServer {
  const names: string[] = [];
  return {
    url,
    folder: null,
    freshDatabase: () => {
      const name = databaseName();
      names.push(name);
      return name;
    },
    stop: async () => {
      const client = new MongoClient(url);
      try {
        for (const name of names) await client.db(name).dropDatabase();
      } finally {
        await client.close();
      }
    },
  };
}

async function ownServer(): Promise<MongoServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mongodb-'));
  const child = spawn(goProgram('mongodb'), ['-folder', folder, '-end-with-input'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    return { url: await addressOf(child), folder, freshDatabase: databaseName, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function stop(): Promise<void> {
    const is_running = child.exitCode === null && child.signalCode === null;
    if (is_running && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

const databaseName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** The line that a server prints once it serves. */
async function addressOf(child: ChildProcess): Promise<string> {
  const failed = new AbortController();
  child.once('error', (error) => failed.abort(error));
  child.once('exit', (code) => failed.abort(new Error(`the MongoDB server ended with ${code}`)));
  const lines = createInterface({ input: child.stdout! });
  try {
    const [line] = (await once(lines, 'line', { signal: failed.signal })) as [string];
    return line;
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    lines.close();
  }
}
