import { type MongoConnection, openMongo } from '../../../libs/mongodb/client.js';
import { type MongoServer, START_TIMEOUT_MS, startMongo } from './server.js';

/** A database that a file's specs share; importing it sets it up, and it is emptied after every test. */
export let connection: MongoConnection;
let server: MongoServer;

beforeAll(async () => {
  server = await startMongo();
  connection = await openMongo(server.url, server.freshDatabase());
}, START_TIMEOUT_MS);
afterEach(async () => {
  const collections = await connection.db.collections();
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});
