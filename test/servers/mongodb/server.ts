import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { thisMachine } from '../../support/machine.js';
import { mongoProvider, NEEDS } from '../../support/needs.js';
import { startGoServer } from '../go-server.js';
import { startContainer, startMongod } from './other-servers.js';

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
      return { ...(await startGoServer('mongodb')), freshDatabase: databaseName };
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

const databaseName = (): string => `test_${randomUUID().replaceAll('-', '')}`;
