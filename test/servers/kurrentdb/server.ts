import {
  type Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerErrorResponse,
} from '@grpc/grpc-js';

import { Access, type ServerUser } from './access.js';
import { AppendHandlers } from './appends.js';
import { ClusterNode } from './cluster/node.js';
import type { MemberOptions, MemberState } from './cluster/member.js';
import { Commits } from './commits.js';
import type { Endpoint, KurrentControl, Statistics } from './control.js';
import { EventLog } from './event-log.js';
import { Faults } from './faults.js';
import { LogFile } from './log-file.js';
import { notReady, uuid } from './messages.js';
import {
  ClusterInfo,
  EndPoint,
  GossipService,
  MemberInfo,
  ServerFeaturesService,
  StreamsService,
  SupportedMethod,
  SupportedMethods,
} from './protocol.js';
import { ReadHandlers } from './reads.js';
import { Relay } from './relay.js';
import { ALONE, type Writer } from './writer.js';

const HOST = '127.0.0.1';
const VERSION = '23.10.6';
const MEMBER_ID = '8c2d4f3e-7a51-4e86-9a0b-3c1d5e7f9a2b';
/** As the real server: the hundredth concurrent call of a connection waits, and larger messages are refused. */
const LIMITS = {
  'grpc.max_concurrent_streams': 100,
  'grpc.max_receive_message_length': 17 * 1024 * 1024,
};

type Answer = sendUnaryData<unknown>;

export interface KurrentServerOptions {
  /** 0 for any that is free. */
  readonly port?: number | undefined;
  /** Keeps the log in this file, also from one process to the next; without, it ends with the object. */
  readonly file?: string | undefined;
  /** After which a write that could not be committed is answered; 2,000 ms, as the real server, unless told. */
  readonly commit_timeout_ms?: number | undefined;
  /** Makes it a node among others; the log lies in this file, not in `file`. */
  readonly cluster?: MemberOptions | undefined;
  /** Users by their login; without them every caller may do everything. */
  readonly users?: Readonly<Record<string, ServerUser>> | undefined;
  /** PEM; with it the server speaks TLS only. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** Starts a server that speaks the protocol of EventStoreDB on the loopback interface. */
export async function startKurrentServer(
  options: KurrentServerOptions = {},
): Promise<KurrentServer> {
  return KurrentServer.start(options);
}

export class KurrentServer implements KurrentControl {
  port = 0;
  readonly #file: LogFile | null;
  readonly #log: EventLog;
  readonly #faults = new Faults();
  readonly #commits: Commits;
  readonly #node: ClusterNode | null;
  readonly #writer: Writer;
  readonly #appends: AppendHandlers;
  readonly #reads: ReadHandlers;
  readonly #access: Access;
  readonly #grpc = new Server(LIMITS);
  #relay!: Relay;

  readonly #has_tls: boolean;

  private constructor({
    file,
    commit_timeout_ms,
    cluster,
    users,
    certificate,
  }: KurrentServerOptions) {
    this.#has_tls = certificate !== undefined;
    this.#file = file === undefined ? null : LogFile.open(file);
    this.#log = new EventLog(this.#file?.records, (records) => this.#file?.append(records));
    this.#node = cluster
      ? new ClusterNode(cluster, this.#log, (error) => this.#failSubscriptions(error))
      : null;
    this.#access = new Access(users, this.#log);
    if (!this.#node) this.#log.begin(this.#access.userStreams());
    this.#writer = this.#node ?? ALONE;
    this.#commits = new Commits(commit_timeout_ms);
    this.#appends = new AppendHandlers(
      this.#log,
      this.#faults,
      this.#commits,
      this.#writer,
      this.#access,
      () => this.#relay.drop(),
    );
    this.#reads = new ReadHandlers(this.#log, this.#faults, this.#writer, this.#access);
    const { append, batchAppend, tombstone } = this.#appends;
    const handlers = { append, batchAppend, tombstone, delete: this.#appends.delete };
    this.#grpc.addService(StreamsService, { ...handlers, read: this.#reads.read });
    this.#grpc.addService(ServerFeaturesService, {
      getSupportedMethods: ({ metadata }: { metadata: Metadata }, answer: Answer) =>
        answer(this.#access.unauthenticated(metadata), supportedMethods()),
    });
    this.#grpc.addService(GossipService, {
      read: (_: unknown, answer: Answer) => answer(null, this.#gossip()),
    });
  }

  static async start(options: KurrentServerOptions): Promise<KurrentServer> {
    const { port = 0 } = options;
    const server = new KurrentServer(options);
    const inner_port = await new Promise<number>((resolve, reject) => {
      server.#grpc.bindAsync(`${HOST}:0`, credentialsOf(options), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    server.#relay = new Relay(inner_port);
    server.port = await server.#relay.listen(port);
    await server.#node?.start();
    return server;
  }

  /** Connection string for the client. */
  get url(): string {
    return `kurrentdb://${HOST}:${this.port}?tls=${this.#has_tls}`;
  }

  /** Ends everything and frees the port. */
  async close(): Promise<void> {
    await this.#relay.close();
    this.#node?.close();
    this.#grpc.forceShutdown();
    this.#file?.close();
  }

  async delayAnswers(ms: number): Promise<void> {
    this.#faults.delay_ms = ms;
  }

  async delayIndex(ms: number): Promise<void> {
    this.#commits.index_ms = ms;
  }

  async dropAppends(count: number, events: 'stored' | 'lost'): Promise<void> {
    this.#faults.dropAppends(count, events);
  }

  async refuseAppends(
    count: number,
    leader: Endpoint = { host: HOST, port: this.port },
  ): Promise<void> {
    this.#faults.refuseAppends(count, leader);
  }

  async freeze(): Promise<void> {
    this.#relay.freeze();
  }

  async thaw(): Promise<void> {
    this.#relay.thaw();
  }

  async sendCheckpointsAhead(on: boolean): Promise<void> {
    this.#faults.checkpoints_ahead = on;
  }

  async failSubscriptions(after_events = 0): Promise<void> {
    if (after_events > 0) this.#faults.failSubscriptionAfter(after_events);
    else this.#failSubscriptions(notReady());
  }

  #failSubscriptions(error: ServerErrorResponse): void {
    for (const fail of this.#reads.running) fail(error);
  }

  async dropConnections(): Promise<void> {
    this.#relay.drop();
  }

  async stop(): Promise<void> {
    await this.#relay.close();
  }

  async start(): Promise<void> {
    await this.#relay.listen(this.port);
  }

  async softDelete(stream: string): Promise<void> {
    await this.#writer.write(() => this.#log.softDelete(stream, 'any'));
  }

  async truncate(stream: string, first_revision: number): Promise<void> {
    await this.#writer.write(() => this.#log.truncate(stream, first_revision));
  }

  async statistics(): Promise<Statistics> {
    return {
      appends: this.#appends.count,
      reads: this.#reads.reads,
      subscriptions: this.#reads.subscriptions,
      open_subscriptions: this.#reads.running.size,
      open_connections: this.#relay.connections,
    };
  }

  async setPassword(login: string, password: string): Promise<void> {
    this.#access.setPassword(login, password);
  }

  async memberState(): Promise<MemberState> {
    return this.#node?.state ?? 'leader';
  }

  #gossip() {
    if (this.#node) return new ClusterInfo().setMembersList(this.#node.members());
    const endpoint = new EndPoint().setAddress(HOST).setPort(this.port);
    const member = new MemberInfo()
      .setInstanceId(uuid(MEMBER_ID))
      .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
      .setState(MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(endpoint);
    return new ClusterInfo().setMembersList([member]);
  }
}

function credentialsOf({ certificate }: KurrentServerOptions): ServerCredentials {
  if (!certificate) return ServerCredentials.createInsecure();
  const { cert, key } = certificate;
  const pair = { cert_chain: Buffer.from(cert), private_key: Buffer.from(key) };
  return ServerCredentials.createSsl(null, [pair]);
}

function supportedMethods() {
  const methods = Object.values(StreamsService).map(({ path }) => {
    const [, service, method] = path.toLowerCase().split('/');
    return new SupportedMethod().setServiceName(service!).setMethodName(method!);
  });
  return new SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods);
}
