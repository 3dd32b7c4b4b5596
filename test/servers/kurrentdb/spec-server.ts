import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { type KurrentServer, startKurrentServer } from './server.js';

/** What a file's specs share; importing it sets it up, with a stream's name for every test. */
export let server: KurrentServer;
export let client: KurrentDBClient;
export let stream: string;

beforeAll(async () => {
  server = await startKurrentServer();
  client = KurrentDBClient.connectionString(server.url);
});
afterAll(async () => {
  await client.dispose();
  await server.close();
});
beforeEach(() => {
  stream = randomUUID();
});
