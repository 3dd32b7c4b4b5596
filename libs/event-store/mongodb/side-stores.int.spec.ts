import { randomBytes } from 'node:crypto';

import {
  type MongoServer,
  START_TIMEOUT_MS,
  startMongo,
} from '../../../test/servers/mongodb/server.js';
import { describePartitionLeases } from '../leases.contract.js';
import { describeSideStores } from '../side-stores.contract.js';
import { MongoSideStores } from './index.js';

const master_key = randomBytes(32);
let server: MongoServer;

const open = () =>
  MongoSideStores.open({ url: server.url, database: server.freshDatabase(), master_key });

beforeAll(async () => {
  server = await startMongo();
}, START_TIMEOUT_MS);
afterAll(() => server.stop());

describeSideStores('mongodb', async () => ({ stores: await open() }));

describePartitionLeases('mongodb', async () => {
  const stores = await open();
  return { leases: stores.leases, cleanUp: () => stores.close() };
});
