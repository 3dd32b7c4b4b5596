import { randomBytes } from 'node:crypto';

import { watchDatabase } from '../../../test/servers/mongodb/commands.js';
import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../../../test/servers/mongodb/server.js';
import { Wire } from '../../../test/servers/mongodb/wire.js';
import { describePartitionLeases } from '../leases.contract.js';
import { describeSideStores } from '../side-stores.contract.js';
import { MongoSideStores } from './index.js';

const master_key = randomBytes(32);
let server: MongoServer;
const wire = new Wire();

async function open() {
  const connection = await watchDatabase(server.url, server.freshDatabase(), {
    onCommand: (event) => wire.note(event),
  });
  const stores = await MongoSideStores.open(connection.db, master_key);
  return { stores, leases: stores.leases, cleanUp: () => connection.close() };
}

beforeAll(async () => {
  server = await startMongo();
});
afterAll(() => server.stop());

describeWithMongo('stores beside events', () => {
  describeSideStores('mongodb', open);
  describePartitionLeases('mongodb', open);

  // Last: of all that the specs above have asked.
  it('ask nothing of MongoDB but what its documentation lists', () => {
    expect(wire.commands).toContain('findAndModify');
    expect(Wire.documented('all')).toEqual(expect.arrayContaining([...wire.commands]));
    expect(wire.undocumented()).toEqual([]);
  });
});
