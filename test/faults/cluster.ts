import { ROLES } from '../../libs/engine/drives/role.js';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { SPEC_SETTINGS } from '../../libs/domain/testing/drive.js';
import { Drives } from '../../libs/engine/drives/drives.js';
import { DEFAULT_LIMITS } from '../../libs/engine/drives/limits.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { MongoSideStores } from '../../libs/event-store/mongodb/index.js';
import { type MongoConnection, openMongo } from '../../libs/mongodb/client.js';
import { MongoReadModel } from '../../libs/read-model/mongodb/mongo-read-model.js';
import { KurrentCluster } from '../servers/kurrentdb/cluster/cluster.js';
import { KurrentServerProcess } from '../servers/kurrentdb/process.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { freePort, ServiceProcess } from '../support/processes.js';

/** Time in which a program that was killed must listen again, ms. */
const START_DEADLINE_MS = 60_000;
const MASTER_KEY = '4d'.repeat(32);

/** Elections end about a second after a kill, as those of the real server mostly do; silence is noticed sooner. */
const ELECTIONS = { election_ms: [300, 1_500], silence_ms: [2_000, 4_000] } as const;

/** Lets `Supervised.signal` end background threads. */
const ENDS_THREADS = new URL('ends-threads.ts', import.meta.url);

type Program = 'api' | 'worker';

/** A program with a port of its own that is started again whenever it has ended, as a supervisor does. */
export class Supervised {
  private running: ServiceProcess | null = null;
  private is_killed = false;
  private earlier = '';

  constructor(
    readonly program: Program,
    private readonly port: number,
    private readonly env: Readonly<Record<string, string>>,
    private readonly breach: (what: string) => void,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Of the process that runs now. */
  get pid(): number {
    return this.running!.pid;
  }

  /** Resolves once it listens, however often that takes: a server it needs may be away. */
  async start(): Promise<void> {
    const deadline = performance.now() + START_DEADLINE_MS;
    for (;;) {
      const started = await ServiceProcess.start(this.program, {
        ...this.env,
        PORT: String(this.port),
      });
      if (started.url !== '') {
        this.running = started;
        this.is_killed = false;
        void started.ended.then((ended) => this.hasEnded(started, ended));
        return;
      }
      if (performance.now() > deadline)
        throw new Error(`${this.program} does not start:\n${started.output.slice(-4000)}`);
    }
  }

  /** Sends a signal that does not end it; nothing while it does not run. */
  signal(signal: 'SIGUSR2'): void {
    if (!this.is_killed) this.running?.signal(signal);
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.is_killed = true;
    await this.running?.kill(signal);
    this.earlier = `${this.output}— ${signal}\n`;
    this.running = null;
  }

  /** What all its processes wrote. */
  get output(): string {
    return this.earlier + (this.running?.output ?? '');
  }

  private hasEnded(
    process: ServiceProcess,
    ended: { code: number | null; signal: string | null },
  ): void {
    if (this.is_killed || this.running !== process) return;
    const last = process.output.slice(-2000);
    const what = `${this.program} ended by itself (${ended.code ?? ended.signal}): ${last}`;
    // At once: without the process, the trial itself may fail before it reports.
    console.error(what);
    this.breach(what);
  }
}

/** The service on its servers: two API processes and two workers on KurrentDB's test server and FerretDB. */
export class Cluster {
  readonly apis: Supervised[] = [];
  readonly workers: Supervised[] = [];
  /** What nobody brought about. */
  readonly breaches: string[] = [];
  /** The event store, if it is one server. */
  kurrent!: KurrentServerProcess;
  /** The event store, if it is three. */
  nodes!: KurrentCluster;
  private mongo!: MongoServer;
  private database = '';
  private event_store_url = '';
  private readonly folder = mkdtempSync(join(tmpdir(), 'faults-'));
  private readonly opened: (() => Promise<unknown>)[] = [];

  private constructor() {}

  /** @param event_stores one server, or three that elect a leader */
  static async start(
    env: Readonly<Record<string, string>> = {},
    event_stores: 1 | 3 = 1,
  ): Promise<Cluster> {
    const cluster = new Cluster();
    try {
      await cluster.open(env, event_stores);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  private async open(more: Readonly<Record<string, string>>, event_stores: 1 | 3): Promise<void> {
    this.mongo = await startMongo();
    this.opened.push(() => this.mongo.stop());
    if (event_stores === 3) {
      this.nodes = await KurrentCluster.start({ folder: this.folder, ...ELECTIONS });
      this.opened.push(() => this.nodes.close());
      this.event_store_url = this.nodes.url;
    } else {
      await this.startKurrent(await freePort());
      this.opened.push(() => this.kurrent.kill('SIGTERM'));
      this.event_store_url = this.kurrent.url;
    }
    this.database = this.mongo.freshDatabase();
    const env = {
      EVENT_STORE: 'kurrentdb',
      KURRENTDB_URL: this.event_store_url,
      READ_MODEL: 'mongodb',
      MONGODB_URL: this.mongo.url,
      MONGODB_DATABASE: this.database,
      MASTER_KEY,
      SIGNING_KEY: '53'.repeat(32),
      SHUTDOWN_TIMEOUT_MS: '5000',
      WORKER_LEASE_MS: '2000',
      WORKER_PARTITIONS: '8',
      // Background threads are busy with snapshots.
      SNAPSHOT_EVERY_EVENTS: '100',
      SNAPSHOT_AFTER_EVENTS: '100',
      ...more,
    };
    const of_api = { ...env, NODE_OPTIONS: `--import=${ENDS_THREADS.href}` };
    for (const program of ['api', 'api', 'worker', 'worker'] as const) {
      const port = await freePort();
      const breach = (what: string): unknown => this.breaches.push(what);
      const one = new Supervised(program, port, program === 'api' ? of_api : env, breach);
      (program === 'api' ? this.apis : this.workers).push(one);
      this.opened.push(() => one.kill('SIGTERM'));
    }
    await Promise.all([...this.workers, ...this.apis].map((one) => one.start()));
  }

  /** The event store's server, started on the log it left; on the same port. */
  async startKurrent(port = this.kurrent.port): Promise<void> {
    this.kurrent = await KurrentServerProcess.start({ port, file: join(this.folder, 'log') });
  }

  /** A process of its own on the same stores that only looks; closed with the cluster. */
  async observer(): Promise<{ readonly drives: Drives; readonly model: MongoReadModel }> {
    const mongo = await this.connect();
    const side = await MongoSideStores.open(mongo.db, Buffer.from(MASTER_KEY, 'hex'));
    const events = await openKurrentEventStore({ url: this.event_store_url });
    const model = await MongoReadModel.open(mongo.db, READ_SCHEMA, {
      secret: Buffer.from(MASTER_KEY, 'hex'),
    });
    const drives = new Drives({
      ...{ events, side, read_model: model, limits: DEFAULT_LIMITS, settings: SPEC_SETTINGS },
      ...{ role: ROLES.replica },
    });
    this.opened.push(async () => {
      await drives.close();
      await events.close();
    });
    return { drives, model };
  }

  async connect(): Promise<MongoConnection> {
    const mongo = await openMongo(this.mongo.url, this.database);
    this.opened.push(() => mongo.close());
    return mongo;
  }

  /** Writes what the processes wrote to files of a folder. */
  writeLogs(folder: string): void {
    mkdirSync(folder, { recursive: true });
    for (const [nth, { program, output }] of [...this.apis, ...this.workers].entries())
      writeFileSync(join(folder, `${nth}-${program}.log`), output);
  }

  /** Ends everything, the last first. */
  async stop(): Promise<void> {
    for (const close of this.opened.splice(0).toReversed()) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
