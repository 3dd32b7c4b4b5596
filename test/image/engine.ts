import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPOSITORY } from '../docs/markdown.js';
import { podmanEnvironment, podmanFolder, removePodmanFolder } from '../support/podman.js';

const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
const SHOWN_CHARACTERS = 4_000;
const RUN_AT_MOST_MS = 120_000;
const BUILD_AT_MOST_MS = 480_000;

interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/** Podman with images, containers, networks and settings of its own, all in one folder. */
export class Engine {
  private readonly folder = podmanFolder();
  readonly env = podmanEnvironment(this.folder, process.env);

  /** A path in its folder. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Runs Podman. @throws Error with what it printed */
  async podman(...args: readonly string[]): Promise<string> {
    return (await this.run('podman', args)).stdout.trim();
  }

  /** What a container wrote to both of its outputs. */
  async logs(container: string): Promise<string> {
    const { stdout, stderr } = await this.run('podman', ['logs', '--timestamps', container]);
    return stdout + stderr;
  }

  /** Runs podman-compose in the repository. */
  compose(
    variables: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<Output> {
    return this.run('podman-compose', args, { env: { ...this.env, ...variables } });
  }

  /** Builds an image with the network of this machine, which reaches package registries, and its cache of npm. */
  async build(tag: string, ...args: readonly string[]): Promise<void> {
    const npmrc = this.path('npmrc');
    await writeFile(npmrc, await npmSettings());
    const mounts = [
      `${npmrc}:/root/.npmrc:ro`,
      `${await npmSetting('cache')}:/root/.npm`,
      '/etc/ssl/certs:/etc/ssl/certs:ro',
    ];
    const volumes = mounts.flatMap((mount) => ['--volume', mount]);
    const isolation = ['--isolation', 'chroot', '--network', 'host'];
    const options = ['--quiet', '--layers=false', ...isolation, ...volumes, '--tag', tag];
    await this.run('podman', ['build', ...options, ...args], { timeout: BUILD_AT_MOST_MS });
  }

  /** Makes an image of a folder. */
  async import(root: string, tag: string): Promise<void> {
    const tar = spawn('tar', ['-C', root, '-c', '--numeric-owner', '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const podman = spawn('podman', ['import', '--quiet', '-', tag], {
      env: this.env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    tar.stdout.pipe(podman.stdin);
    const [status] = await once(podman, 'close');
    if (status !== 0) throw new Error(`${tag} was not imported`);
  }

  /** Removes everything. */
  stop(): void {
    removePodmanFolder(this.folder, this.env);
  }

  /** Runs a program in the repository. @throws Error with what it printed, also if it takes too long */
  private async run(
    program: string,
    args: readonly string[],
    { env = this.env, timeout = RUN_AT_MOST_MS } = {},
  ): Promise<Output> {
    const options = { cwd: REPOSITORY, env, timeout, maxBuffer: MOST_OUTPUT_BYTES };
    try {
      return await promisify(execFile)(program, args, options);
    } catch (error) {
      const { stdout = '', stderr = '', killed } = error as Partial<Output & { killed: boolean }>;
      const why = killed ? `not done within ${timeout / 1000} s` : 'failed';
      const said = stdout.slice(-SHOWN_CHARACTERS) + stderr.slice(-SHOWN_CHARACTERS);
      throw new Error(`${program} ${args.join(' ')}: ${why}\n${said}`, { cause: error });
    }
  }
}

/** Where npm of this machine finds packages, for npm in a container. */
async function npmSettings(): Promise<string> {
  const lines = ['registry', 'cafile'].map(async (name) => {
    const value = await npmSetting(name);
    return value === '' || value === 'null' ? '' : `${name}=${value}\n`;
  });
  return `prefer-offline=true\n${(await Promise.all(lines)).join('')}`;
}

async function npmSetting(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', name]);
  return stdout.trim();
}
