import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSettings } from '../api/platform/settings/settings.js';
import { type RunningServer, type ServerOptions, startServer } from '../api/server.js';
import { Caller } from './caller.js';
import { OWNER } from './company.js';
import { DAY_MS, seedDemo } from './seed-demo.js';
import type { Leak } from './story.js';

const FILE = 'demo.json';

/** What is known of a finished demo, stored in its data folder. Readable by its user only: it holds the owner's key. */
interface DemoFile {
  readonly seed: number;
  readonly drive_id: string;
  readonly owner_id: string;
  readonly token: string;
  readonly leak: Leak;
}

/** The folder holds other data than a finished demo. */
export class NoDemoFolder extends Error {
  override readonly name = 'NoDemoFolder';
}

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
      writeFileSync(join(folder, FILE), JSON.stringify(demo, null, 2), { mode: 0o600 });
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

/**
 * Creates the folder, or reads the demo in it.
 * @returns null if the folder is empty
 * @throws NoDemoFolder
 */
function openDemoFolder(folder: string): DemoFile | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
  if (readdirSync(folder).length === 0) return null;
  throw new NoDemoFolder(
    `${folder} is not empty and holds no finished demo: remove it, or choose another folder with --folder`,
  );
}
