import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { type RunningServer, type ServerOptions, startServer } from '../../apps/api/server.js';
import type { KurrentTarget } from '../servers/kurrentdb/target.js';
import { documented } from './documented.js';
import { Client, type Organization, organizationOf } from './client.js';
import { COMBINATION } from './combination.js';
import { replicas } from './replicas.js';

/** A service under test on a folder of its own, reached over real HTTP. */
export class TestService {
  /** Another one on the same stores, where they serve several. */
  private twin: RunningServer | null = null;

  private constructor(
    public server: RunningServer,
    readonly data_dir: string,
    private readonly env: Record<string, string>,
    private readonly options: ServerOptions,
    private readonly replica_url: string | null,
    private readonly event_store: KurrentTarget | null,
  ) {}

  /** Starts on an empty temporary folder and any free port; rate limits are off unless asked for. */
  static async start(
    env: Record<string, string> = {},
    options: ServerOptions = {},
  ): Promise<TestService> {
    const data_dir = await mkdtemp(join(tmpdir(), 'drive-service-'));
    const event_store = COMBINATION?.own_event_store ? await ownEventStore() : null;
    const basis = { RATE_LIMITS: 'off', LOG_LEVEL: 'silent', DEFAULT_DISK: '' };
    const common = { ...basis, ...COMBINATION?.env };
    const events = event_store && { KURRENTDB_URL: event_store.url };
    const all = { PORT: '0', DATA_DIR: data_dir, ...common, ...events, ...env };
    // The other process has settings and a clock of its own.
    const is_plain = Object.keys(env).length === 0 && Object.keys(options).length === 0;
    const replica = is_plain ? COMBINATION?.replica : null;
    const server = await startServer(
      loadSettings(replica ? { ...all, PORT: String(replica.port) } : all),
      quiet(options),
    );
    const replica_url = replica?.url ?? null;
    const service = new TestService(server, data_dir, all, options, replica_url, event_store);
    await service.join();
    return service;
  }

  get url(): string {
    return this.server.url;
  }

  /**
   * Stops and starts again on the same folder, as after a deployment.
   * @param whileStopped runs in between
   */
  async restart(
    env: Record<string, string> = {},
    whileStopped?: () => Promise<void>,
  ): Promise<void> {
    const { port } = new URL(this.url);
    await this.leave();
    await whileStopped?.();
    const settings = loadSettings({ ...this.env, ...(this.replica_url && { PORT: port }), ...env });
    this.server = await startServer(settings, quiet(this.options));
    await this.join();
  }

  /** A client of this service without a token. */
  client(): Client {
    return new Client(this.url);
  }

  /** A new organization with an admin and, if wanted, named members. */
  async organization(...members: string[]): Promise<Organization> {
    const body = { org_name: 'Test Org', members: members.map((name) => ({ name })) };
    const { data } = await this.client().post('/v1/factory/quickstart', body);
    return organizationOf(this.url, data as never);
  }

  /** Stops and removes the folder. */
  async stop(): Promise<void> {
    await this.leave();
    await this.event_store?.close();
    await rm(this.data_dir, { recursive: true, force: true });
  }

  /** Lets another process on the same stores take its part of the requests; answers have to be as documented. */
  private async join(): Promise<void> {
    documented.serve(this.url);
    if (!COMBINATION?.replica) return;
    const { url } = this;
    if (!this.replica_url) {
      const env = { PUBLIC_URL: url, ...this.env, PORT: '0' };
      this.twin = await startServer(loadSettings(env), quiet(this.options));
    }
    replicas.serve(url, [url, this.replica_url ?? this.twin!.url]);
  }

  private async leave(): Promise<void> {
    replicas.forget(this.url);
    await this.twin?.close();
    this.twin = null;
    await this.server.close();
  }
}

/** Loaded here: most specs need none. */
async function ownEventStore(): Promise<KurrentTarget> {
  const { startKurrentServer } = await import('../servers/kurrentdb/server.js');
  return startKurrentServer();
}

function quiet(options: ServerOptions): ServerOptions {
  return { logger: new JsonLogger('silent'), ...options };
}
