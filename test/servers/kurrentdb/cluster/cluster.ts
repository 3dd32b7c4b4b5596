import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../../support/processes.js';
import { KurrentServerProcess } from '../process.js';
import type { MemberOptions } from './member.js';

export interface ClusterOptions extends Partial<
  Pick<MemberOptions, 'election_ms' | 'silence_ms' | 'stale_ms'>
> {
  /** Where the nodes keep their logs. */
  readonly folder: string;
  readonly commit_timeout_ms?: number;
}

/** As the real server was measured. */
const REAL = { election_ms: [300, 5_000], silence_ms: [6_000, 15_000], stale_ms: 1_000 } as const;
const NODES = 3;
/** How long a cluster may take to elect a leader beyond what its options say, ms. */
const PATIENCE_MS = 60_000;

/** A node, run as a process and started again when it ends by itself, as its supervisor does. */
export class SupervisedNode {
  private running: KurrentServerProcess | null = null;
  private is_frozen = false;
  private is_away = false;

  constructor(private readonly options: MemberOptions & { readonly commit_timeout_ms?: number }) {}

  get port(): number {
    return this.options.nodes[this.options.self]!.port;
  }

  /** @throws Error unless it runs */
  get process(): KurrentServerProcess {
    if (!this.running) throw new Error('the node does not run');
    return this.running;
  }

  /** False while it is killed or frozen. */
  get answers(): boolean {
    return this.running !== null && !this.is_frozen;
  }

  async start(): Promise<void> {
    this.is_away = false;
    await this.run();
  }

  private async run(): Promise<void> {
    const { commit_timeout_ms, ...cluster } = this.options;
    const started = await KurrentServerProcess.start({
      ...{ port: this.port, cluster },
      commit_timeout_ms,
    });
    if (this.is_away) {
      await started.kill();
      return;
    }
    this.running = started;
    // A deposed leader ends itself to cut off what nobody else has stored.
    started.whenEnded(() => {
      if (this.running !== started) return;
      this.running = null;
      void this.startAgain();
    });
  }

  /** However often that takes: it may have more to cut off as soon as it hears of the leader. */
  private async startAgain(): Promise<void> {
    while (!this.is_away && !this.running)
      await this.run().catch((error: unknown) => process.emitWarning(String(error)));
  }

  /** kill -9; it stays away until it is started. */
  async kill(): Promise<void> {
    const killed = this.running;
    this.is_away = true;
    this.running = null;
    this.is_frozen = false;
    await killed?.kill();
  }

  freeze(): void {
    this.is_frozen = true;
    this.process.signal('SIGSTOP');
  }

  thaw(): void {
    this.process.signal('SIGCONT');
    this.is_frozen = false;
  }
}

/** Three nodes of the test server that elect a leader and store what a majority has. */
export class KurrentCluster {
  private constructor(readonly nodes: readonly SupervisedNode[]) {}

  /** Resolves once a leader is elected. Other processes take ports too: three sets of them are tried. */
  static async start(options: ClusterOptions, tries = 3): Promise<KurrentCluster> {
    const { folder, ...more } = options;
    const nodes: { port: number; peer_port: number }[] = [];
    while (nodes.length < NODES)
      nodes.push({ port: await freePort(), peer_port: await freePort() });
    const supervised = nodes.map((_, self) => {
      const file = join(folder, `node-${self}.jsonl`);
      return new SupervisedNode({ ...REAL, ...more, nodes, self, file });
    });
    const cluster = new KurrentCluster(supervised);
    const starts = await Promise.allSettled(supervised.map((node) => node.start()));
    const failed = starts.find((start) => start.status === 'rejected');
    if (failed) {
      await cluster.close();
      if (tries === 1) throw failed.reason;
      return KurrentCluster.start(options, tries - 1);
    }
    await cluster.leader();
    return cluster;
  }

  /** `host:port` of all nodes. */
  get hosts(): string {
    return this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  }

  /** Connection string for the client. */
  get url(): string {
    return `kurrentdb://${this.hosts}?tls=false`;
  }

  /**
   * The node that leads, once it is the only one: a thawed leader that has been deposed still takes itself for one.
   * Never one of `except`.
   */
  async leader(...except: readonly SupervisedNode[]): Promise<SupervisedNode> {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const asked = this.nodes.filter((node) => !except.includes(node) && node.answers);
      const states = await Promise.all(
        asked.map((node) => node.process.control.memberState().catch(() => 'unknown')),
      );
      const leaders = asked.filter((_, nth) => states[nth] === 'leader');
      if (leaders.length === 1) return leaders[0]!;
      await sleep(20);
    }
    throw new Error(`no leader was elected within ${PATIENCE_MS} ms`);
  }

  async followers(): Promise<SupervisedNode[]> {
    const leader = await this.leader();
    return this.nodes.filter((node) => node !== leader);
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
  }
}
