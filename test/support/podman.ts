import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const WANTED_LIMITS = { nofile: 16_384, nproc: 4_096 };
/** What Podman needs for images of Debian's packages and for networks. */
const PROGRAMS = ['podman', 'podman-compose', 'runc', 'debootstrap', 'iptables'];
const NETAVARK = '/usr/lib/podman/netavark';
const CHECKED_AT_MOST_MS = 60_000;
const REMOVED_IN_TRIES = 5;
/** Runs the smallest container in the way of the real ones: from an image, on a network of its own, with a port. */
const CHECK = `
set -eu
program=$(type -P true)
mkdir root
cp -L --parents "$program" $(ldd "$program" | grep -o '/[^ ]*') root
tar -C root -c . | podman import --quiet - smallest
podman network create smallest
podman run --rm --network smallest --publish 127.0.0.1::80 smallest "$program"
`;

/** A new folder for images, containers, networks and settings of Podman. */
export function podmanFolder(): string {
  return mkdtempSync(join(tmpdir(), 'drive-containers-'));
}

/** The environment in which Podman keeps everything in the folder. Writes its settings there. */
export function podmanEnvironment(folder: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const file = (name: string, lines: readonly string[]): string => {
    writeFileSync(join(folder, name), lines.join('\n'));
    return join(folder, name);
  };
  mkdirSync(join(folder, 'networks'));
  makeStorage(join(folder, 'storage'));
  return {
    ...env,
    // Images in the format of Docker have health checks.
    BUILDAH_FORMAT: 'docker',
    CONTAINERS_CONF: file('containers.conf', [
      '[containers]',
      `default_ulimits = [${limits()}]`,
      '[engine]',
      'runtime = "runc"',
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      '[network]',
      'network_backend = "netavark"',
      `network_config_dir = "${join(folder, 'networks')}"`,
    ]),
    CONTAINERS_STORAGE_CONF: file('storage.conf', [
      '[storage]',
      'driver = "overlay"',
      `graphroot = "${join(folder, 'storage')}"`,
      `runroot = "${join(folder, 'run')}"`,
    ]),
    CONTAINERS_REGISTRIES_CONF: file('registries.conf', [
      'unqualified-search-registries = ["docker.io"]',
    ]),
  };
}

/** Removes all containers, networks and images of a folder, and the folder. @throws Error if containers stay */
export function removePodmanFolder(folder: string, env: NodeJS.ProcessEnv): void {
  const run = (program: string, ...args: readonly string[]): string =>
    spawnSync(program, args, { env, encoding: 'utf8', timeout: CHECKED_AT_MOST_MS }).stdout;
  if (existsSync(join(folder, 'storage'))) {
    // Podman refuses those that others need; they go with the next try.
    let containers: string;
    for (
      let tries = REMOVED_IN_TRIES;
      (containers = run('podman', 'ps', '--all', '--quiet'));
      tries--
    ) {
      if (tries === 0) throw new Error(`containers that could not be removed: ${containers}`);
      run('podman', 'rm', '--all', '--force', '--time', '0', '--volumes');
    }
    run('podman', 'network', 'prune', '--force');
  }
  // Podman's storage stays mounted on itself; debootstrap that was killed leaves `proc` mounted.
  for (const [, mounted] of readFileSync('/proc/mounts', 'utf8').matchAll(/^\S+ (\S+)/gm))
    if (mounted!.startsWith(folder)) run('umount', '--lazy', mounted!);
  rmSync(folder, { recursive: true, force: true });
}

/** Why this process cannot run containers with Podman, or null if it can: it runs one. */
export function whyNoContainers(env: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (env.PATH ?? '').split(delimiter);
  const lacking = PROGRAMS.find((name) => !folders.some((path) => existsSync(join(path, name))));
  if (lacking) return `${lacking} is not in PATH`;
  if (!existsSync(NETAVARK)) return `${NETAVARK} is missing`;
  const folder = podmanFolder();
  const own = podmanEnvironment(folder, env);
  try {
    const { status, stderr, error } = spawnSync('bash', ['-c', CHECK], {
      ...{ cwd: folder, env: own, encoding: 'utf8', timeout: CHECKED_AT_MOST_MS },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (status === 0) return null;
    const said = error?.message ?? stderr.trim().split('\n').at(-1);
    return `the smallest container does not run here: ${said}`;
  } finally {
    removePodmanFolder(folder, own);
  }
}

/** Limits that this process may set: Podman's defaults are above what some machines allow. */
function limits(): string {
  const text = readFileSync('/proc/self/limits', 'utf8');
  const hard = (name: string): number =>
    Number(new RegExp(`^${name}\\s+\\S+\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Infinity);
  const { nofile, nproc } = WANTED_LIMITS;
  const files = Math.min(nofile, hard('Max open files'));
  const processes = Math.min(nproc, hard('Max processes'));
  return `"nofile=${files}:${files}", "nproc=${processes}:${processes}"`;
}

/** Within a container the folder itself may be an overlay, which cannot hold another one: then images are in memory. */
function makeStorage(folder: string): void {
  mkdirSync(folder);
  const { stdout } = spawnSync('stat', ['-f', '-c', '%T', folder], { encoding: 'utf8' });
  if (stdout.trim() === 'overlayfs')
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'mode=700', 'tmpfs', folder]);
}
