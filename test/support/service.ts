import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JsonLogger } from '../../apps/api/platform/logging.js';
import { loadSettings } from '../../apps/api/platform/settings.js';
import { type RunningServer, type ServerOptions, startServer } from '../../apps/api/server.js';
import { Client, type Organization, organizationOf } from './client.js';

/** A service under test on a folder of its own, reached over real HTTP. */
export class TestService {
  private constructor(
    public server: RunningServer,
    readonly data_dir: string,
    private readonly env: Record<string, string>,
    private readonly options: ServerOptions,
  ) {}

  /** Starts on an empty temporary folder and any free port; rate limits are off unless asked for. */
  static async start(
    env: Record<string, string> = {},
    options: ServerOptions = {},
  ): Promise<TestService> {
    const data_dir = await mkdtemp(join(tmpdir(), 'drive-service-'));
    const all = { PORT: '0', DATA_DIR: data_dir, RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...env };
    const server = await startServer(loadSettings(all), quiet(options));
    return new TestService(server, data_dir, all, options);
  }

  get url(): string {
    return this.server.url;
  }

  /** Stops and starts again on the same folder, as after a deployment. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.server.close();
    const settings = loadSettings({ ...this.env, ...env });
    this.server = await startServer(settings, quiet(this.options));
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
    await this.server.close();
    await rm(this.data_dir, { recursive: true, force: true });
  }
}

function quiet(options: ServerOptions): ServerOptions {
  return { logger: new JsonLogger('silent'), ...options };
}
