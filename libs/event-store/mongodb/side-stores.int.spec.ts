import { randomBytes } from 'node:crypto';

import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import {
  type MongoServer,
  START_TIMEOUT_MS,
  startMongo,
} from '../../../test/servers/mongodb/server.js';
import { openMongo } from '../../mongodb/client.js';
import { describePartitionLeases } from '../leases.contract.js';
import { describeSideStores } from '../side-stores.contract.js';
import { MongoSideStores } from './index.js';

const master_key = randomBytes(32);
let server: MongoServer;

async function open() {
  const connection = await openMongo(server.url, server.freshDatabase());
  const stores = await MongoSideStores.open(connection.db, master_key);
  return { stores, leases: stores.leases, cleanUp: () => connection.close() };
}

beforeAll(async () => {
  server = await startMongo();
}, START_TIMEOUT_MS);
afterAll(() => server.stop());

describeWithMongo('stores beside events', () => {
  describeSideStores('mongodb', open);
  describePartitionLeases('mongodb', open);
});
