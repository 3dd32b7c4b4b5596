import { randomBytes } from 'node:crypto';

import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../../../test/servers/mongodb/server.js';
import { type MongoConnection, openMongo } from '../../mongodb/client.js';
import { MongoSideStores, WrongMasterKey } from './index.js';

const DRIVE = 'DriveID_a';

describeWithMongo('side stores of a database', () => {
  const master_key = randomBytes(32);
  let server: MongoServer;
  let connection: MongoConnection;

  beforeAll(async () => {
    server = await startMongo();
  });
  beforeEach(async () => {
    connection = await openMongo(server.url, server.freshDatabase());
  });
  afterEach(() => connection.close());
  afterAll(() => server.stop());

  const collections = async (): Promise<string[]> => {
    const found = await connection.db.listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  };

  it('with keys alone, as after a restore, open with their master key only', async () => {
    const { db } = connection;
    const { keys } = await MongoSideStores.open(db, master_key);
    const [drive, subject] = [randomBytes(32), randomBytes(32)];
    await keys.put(DRIVE, new Map([['a-subject', subject]]));
    await keys.put(DRIVE, new Map([['drive', drive]]));
    await keys.destroy(DRIVE, ['a-subject']);
    for (const name of await collections()) if (name !== 'side_keys') await db.dropCollection(name);

    await expect(MongoSideStores.open(db, randomBytes(32))).rejects.toThrow(WrongMasterKey);
    expect(await collections()).toEqual(['side_keys']);
    const restored = await MongoSideStores.open(db, master_key);
    expect(await restored.keys.all(DRIVE)).toEqual(new Map([['drive', new Uint8Array(drive)]]));
    await expect(MongoSideStores.open(db, randomBytes(32))).rejects.toThrow(WrongMasterKey);
  });

  it('that are only read are opened without a write', async () => {
    const { db } = connection;
    await MongoSideStores.open(db, master_key, true);
    expect(await collections()).toEqual([]);

    const { keys } = await MongoSideStores.open(db, master_key);
    const key = new Uint8Array(randomBytes(32));
    await keys.put(DRIVE, new Map([['drive', key]]));
    for (const name of await collections()) if (name !== 'side_keys') await db.dropCollection(name);
    await db.createCollection('side_event_index');
    const before = (await collections()).sort();
    const opened = await MongoSideStores.open(db, master_key, true);
    expect(await opened.keys.get(DRIVE, 'drive')).toEqual(key);
    expect((await collections()).sort()).toEqual(before);
    await expect(MongoSideStores.open(db, randomBytes(32), true)).rejects.toThrow(WrongMasterKey);
  });
});
