import { afterAll, beforeAll } from '@jest/globals';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';

import { type KurrentTarget, kurrentTarget } from '../../../test/servers/kurrentdb/target.js';
import { describeEventStore } from '../event-store.contract.js';
import { NativeReaders } from './cluster/native-readers.js';
import { threadReads } from './cluster/thread-reads.js';
import { KurrentEventStore } from './event-store.js';

let target: KurrentTarget;
let client: KurrentDBClient;
beforeAll(async () => {
  target = await kurrentTarget();
  // One for all cases: each new one needs half a second to connect, and disposing of it only ends its calls.
  client = KurrentDBClient.connectionString(target.url);
});
afterAll(() => target.close());

describeEventStore('kurrentdb', async () => ({ store: new KurrentEventStore(client) }));

describeEventStore('kurrentdb, read from a thread', async () => {
  const natives = new NativeReaders(() => threadReads(client));
  return { store: new KurrentEventStore(client, {}, natives) };
});
