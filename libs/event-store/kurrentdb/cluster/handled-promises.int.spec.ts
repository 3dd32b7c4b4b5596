/** Promises of the client that nobody awaits: their rejection would end the process. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { binaryEvent, KurrentDBClient, UnavailableError } from '@kurrent/kurrentdb-client';

import {
  type KurrentServer,
  startKurrentServer,
} from '../../../../test/servers/kurrentdb/server.js';
import { withHandledPromises } from './handled-promises.js';

interface Hidden {
  getChannel(): Promise<unknown>;
  handleError(failed: object, error: Error): Promise<void>;
}

let server: KurrentServer;
let unhandled: unknown[];
const note = (error: unknown): number => unhandled.push(error);

beforeEach(async () => {
  server = await startKurrentServer();
  unhandled = [];
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  process.off('unhandledRejection', note);
  await server.close();
});

async function expectNoneUnhandled(): Promise<void> {
  await new Promise(setImmediate);
  expect(unhandled).toEqual([]);
}

it('a call that fails while the search for a node fails', async () => {
  const { port } = server;
  await server.stop();
  const hosts = `127.0.0.1:${port},localhost:${port}`;
  const client = withHandledPromises(
    KurrentDBClient.connectionString(`kurrentdb://${hosts}?tls=false&maxDiscoverAttempts=1`),
  );
  const hidden = client as unknown as Hidden;
  const searching = hidden.getChannel();
  // As the client does: without waiting for it.
  void hidden.handleError({ getChannel: () => null }, unavailable());
  await expect(searching).rejects.toThrow(/discover/);
  await expectNoneUnhandled();
});

it('appends that wait to be sent when their stream breaks', async () => {
  const client = withHandledPromises(KurrentDBClient.connectionString(server.url));
  const append = (bytes: number) =>
    client.appendToStream('a', binaryEvent({ type: 'a', data: Buffer.alloc(bytes) }));
  await append(1);
  await server.freeze();
  const answers = Promise.allSettled(Array.from({ length: 60 }, () => append(200_000)));
  await new Promise(setImmediate);
  await server.dropConnections();
  await server.thaw();
  for (const { status } of await answers) expect(status).toBe('rejected');
  await expectNoneUnhandled();
  await client.dispose();
});

function unavailable(): UnavailableError {
  return new UnavailableError({ code: 14, details: '', metadata: {} } as never);
}
