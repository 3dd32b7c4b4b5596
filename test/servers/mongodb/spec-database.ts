import { type WatchedDatabase, watchDatabase } from './commands.js';
import { type MongoServer, startMongo } from './server.js';
import { Wire } from './wire.js';

/** A database that a file's specs share; importing it sets it up, and it is emptied after every test. */
export let connection: WatchedDatabase;
/** What the file's specs have said to it. */
export const wire = new Wire();
let server: MongoServer;

beforeAll(async () => {
  server = await startMongo();
  connection = await watchDatabase(server.url, server.freshDatabase(), {
    onCommand: (event) => wire.note(event),
  });
});
afterEach(async () => {
  const collections = await connection.db.collections();
  await Promise.all(collections.map((collection) => collection.deleteMany({})));
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});
