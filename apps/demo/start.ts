import { loadSettings } from '../api/platform/settings/settings.js';
import { type RunningServer, type ServerOptions, startServer } from '../api/server.js';
import { Caller } from './caller.js';
import { OWNER } from './company.js';
import { type DemoFile, openDemoFolder, writeDemoFile } from './demo-folder.js';
import { DAY_MS, seedDemo } from './seed-demo.js';

interface StartDemo {
  readonly folder: string;
  readonly seed: number;
  readonly port: number;
  readonly progress?: (share: number) => void;
  readonly options?: Omit<ServerOptions, 'clock'>;
}

export interface RunningDemo extends DemoFile {
  readonly server: RunningServer;
  /** Signs the owner in to the console. */
  readonly login_link: string;
}

/**
 * Serves the demo of a folder to this machine, and creates it first in an empty folder. Its six months end today; from
 * then on, the service has the time of the machine.
 * @throws NoDemoFolder; as `startServer`
 */
export async function startDemo({
  folder,
  seed,
  port,
  progress,
  options,
}: StartDemo): Promise<RunningDemo> {
  const known = openDemoFolder(folder);
  const settings = loadSettings({
    ...process.env,
    ...{ DATA_DIR: folder, HOST: '127.0.0.1', PORT: String(port) },
    ...{ EVENT_STORE: 'sqlite', READ_MODEL: 'memory', RATE_LIMITS: 'off', DEFAULT_DISK: 'Files' },
  });
  let simulated_ms: number | null = null;
  const clock = (): number => simulated_ms ?? Date.now();
  const server = await startServer(settings, { ...options, clock });
  try {
    let demo = known;
    if (!demo) {
      const until_ms = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const setTime = (now_ms: number): void => void (simulated_ms = now_ms);
      const { organization, leak } = await seedDemo(server.url, {
        ...{ seed, until_ms, setTime },
        ...(progress && { progress }),
      });
      simulated_ms = null;
      const { drive_id, owner_id, token } = organization;
      demo = { seed, drive_id, owner_id, token, leak };
      writeDemoFile(folder, demo);
    }
    return { ...demo, server, login_link: await loginLink(server.url, demo) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** A link for the address that the service has now. */
async function loginLink(url: string, { drive_id, owner_id, token }: DemoFile): Promise<string> {
  const owner = new Caller(url, drive_id, token, owner_id, OWNER);
  const body = { user_id: owner_id, profile_api_key: token };
  return (await owner.post('contacts/helpers/generate-auto-login-link', body)).auto_login_link;
}
