import { BSON, MongoClient } from 'mongodb';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { type RunningWorker, startWorker } from '../../apps/worker/start.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { ReadModel } from '../../libs/read-model/port.js';
import { kurrentTarget, type KurrentTarget } from '../servers/kurrentdb/target.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { everythingIn, type Found, unpacked } from './planted.js';
import type { TestService } from './service.js';

const EVENTS_AT_ONCE = 500;

/** Where a service under test stores things, and how to look at every byte of it. */
export interface StoragePlace {
  /** Variables of the service. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts what works beside the service. */
  start(): Promise<void>;
  /** Resolves when everything derived from the events so far is stored. */
  idle(service: TestService): Promise<void>;
  everything(service: TestService): AsyncIterable<Found>;
  stop(): Promise<void>;
}

/** The data folder of the embedded default. */
export async function dataFolder(): Promise<StoragePlace> {
  return {
    env: {},
    start: async () => {},
    idle: async () => {},
    everything: (service) => everythingIn(service.data_dir),
    stop: async () => {},
  };
}

/** KurrentDB for events, MongoDB for everything else, and a worker. */
export async function servers(
  log: JsonLogger,
  snapshot_every_events: number,
): Promise<StoragePlace> {
  const [kurrent, mongo] = await Promise.all([kurrentTarget(), startMongo()]);
  return new Servers(kurrent, mongo, log, snapshot_every_events);
}

class Servers implements StoragePlace {
  readonly env: Readonly<Record<string, string>>;
  private readonly database: string;
  private readonly client: MongoClient;
  private worker: RunningWorker | undefined;

  constructor(
    private readonly kurrent: KurrentTarget,
    private readonly mongo: MongoServer,
    private readonly log: JsonLogger,
    private readonly snapshot_every_events: number,
  ) {
    this.client = new MongoClient(mongo.url);
    this.database = mongo.freshDatabase();
    this.env = {
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, READ_MODEL: 'mongodb' },
      ...{ MONGODB_URL: mongo.url, MONGODB_DATABASE: this.database },
      ...{ MASTER_KEY: 'ab'.repeat(32), SIGNING_KEY: 'cd'.repeat(32), WORKER_PARTITIONS: '4' },
    };
  }

  async start(): Promise<void> {
    const settings = loadSettings({ ...this.env, PORT: '0', SHUTDOWN_TIMEOUT_MS: '1000' });
    this.worker = await startWorker(settings, this.log);
    // No setting allows so few.
    Object.assign(this.worker.drives.limits, { snapshot_every_events: this.snapshot_every_events });
  }

  async idle({ server }: TestService): Promise<void> {
    const { worker, drives } = this.worker!;
    const read_model = drives.read_model as ReadModel;
    await eventually(async () => {
      await worker.idle();
      const ids = ['factory', ...(await server.drives.all())];
      const places = await Promise.all(
        ids.map(async (id) => [
          (await read_model.checkpoint(id))?.revision,
          (await server.drives.open(id)).head.revision,
        ]),
      );
      return places.every(([documents, head]) => documents === head);
    });
  }

  /** Every event, every document of every collection, and the files of the server for MongoDB. */
  async *everything({ server }: TestService): AsyncGenerator<Found> {
    for (let after = -1; ;) {
      const events = await server.stores.events.readAll(after, EVENTS_AT_ONCE);
      for (const { data, metadata } of events)
        yield { where: 'events', bytes: Buffer.from(`${data}\n${metadata}`) };
      if (events.length === 0) break;
      after = events.at(-1)!.position;
    }
    for (const collection of await this.client.db(this.database).collections()) {
      const where = collection.collectionName;
      for await (const document of collection.find()) {
        yield { where, bytes: Buffer.from(BSON.serialize(document)) };
        for (const value of Object.values(document))
          if (value instanceof BSON.Binary)
            for (const bytes of await unpacked(Buffer.from(value.buffer)))
              yield { where: `${where} unpacked`, bytes };
      }
    }
    if (this.mongo.folder === null) return;
    for await (const { where, bytes } of everythingIn(this.mongo.folder))
      yield { where: `file ${where}`, bytes };
  }

  async stop(): Promise<void> {
    await this.worker?.close();
    await this.client.close();
    await Promise.all([this.kurrent.close(), this.mongo.stop()]);
  }
}
