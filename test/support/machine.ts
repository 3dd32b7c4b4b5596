import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type GoProgram, sourcesOf } from './go-programs.js';
import { whyNoContainers } from './podman.js';
import { removeDisk, smallDisk } from './small-disk.js';

/** What tests can use of a machine. */
export interface Machine {
  variable(name: string): string | undefined;
  /** True if PATH has a program of that name. */
  has(program: string): boolean;
  /** True if Go is there, recent enough for the program, or able to fetch itself as recent. */
  builds(program: GoProgram): boolean;
  /** True if Python 3 is there and has these modules. */
  imports(modules: readonly string[]): boolean;
  /** True if this user may mount a file system. */
  mountsDisks(): boolean;
  /** True if npm can fetch packages. */
  reachesRegistry(): boolean;
  /** True if Docker is there and its daemon answers. */
  runsContainers(): boolean;
  /** True if Podman runs a container, with what it needs to make images and networks. */
  runsOwnContainers(): boolean;
}

const ASKED_AT_MOST_MS = 120_000;

export function thisMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  const has = (program: string): boolean => pathOf(program, env) !== undefined;
  return {
    variable: (name) => env[name],
    has,
    builds: (program) => {
      if (!has('go')) return false;
      const folder = sourcesOf(program);
      // Within the module Go answers as the version that it would build with.
      const said = ask('go', ['version'], env, folder);
      const needed = /^go (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))![1]!;
      return said !== null && isAtLeast(said, needed);
    },
    imports: (modules) =>
      has('python3') && ask('python3', ['-c', `import ${modules.join()}`], env) !== null,
    mountsDisks: () => {
      const disk = smallDisk();
      if (disk) removeDisk(disk);
      return disk !== null;
    },
    reachesRegistry: () =>
      has('npm') && ask('npm', ['view', 'node', 'version', '--fetch-retries=0'], env) !== null,
    runsContainers: () =>
      has('docker') && ask('docker', ['info', '--format', '{{.ID}}'], env) !== null,
    runsOwnContainers: () => whyNoContainers(env) === null,
  };
}

/** Where PATH has a program of that name. */
export function pathOf(program: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder || '.', program)).find(isProgram);
}

/** True if what `go version` said is no earlier than a version in a `go.mod`. */
export function isAtLeast(said: string, needed: string): boolean {
  const there = /\bgo(\d+)\.(\d+)/.exec(said);
  const [major, minor] = needed.split('.').map(Number) as [number, number];
  if (!there) return false;
  return Number(there[1]) > major || (Number(there[1]) === major && Number(there[2]) >= minor);
}

function ask(program: string, args: string[], env: NodeJS.ProcessEnv, cwd?: string): string | null {
  const { status, stdout } = spawnSync(program, args, {
    ...{ env, cwd, encoding: 'utf8', timeout: ASKED_AT_MOST_MS },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout : null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
