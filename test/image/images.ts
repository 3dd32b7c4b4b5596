import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { read, REPOSITORY } from '../docs/markdown.js';
import { goProgram } from '../support/go-programs.js';
import type { Engine } from './engine.js';

/** The image that the Dockerfile builds on. */
export const BASE = /^FROM (\S+) AS build$/m.exec(read('Dockerfile'))![1]!;
/** The service's image, as docker-compose.yml names it. */
export const SERVICE = 'drive-workspace-service';
const SUITE = /-(\w+)-slim$/.exec(BASE)![1]!;
const FETCHED_AT_MOST_MS = 300_000;
const STAND_INS = 'test/image/stand-ins';

const run = promisify(execFile);

/**
 * Images cannot be pulled everywhere, so the base is made here: Debian as small as it gets, with this Node.js, npm
 * and the user `node`, under the name of the official image.
 */
export async function buildBase(engine: Engine): Promise<void> {
  const root = engine.path('root');
  const args = ['--variant=minbase', SUITE, root];
  await fetchDebian([...args, ...(await mirror())]);
  const local = (...path: readonly string[]): string => join(root, 'usr/local', ...path);
  await copyFile(process.execPath, local('bin/node'));
  await chmod(local('bin/node'), 0o755);
  // npm runs this: its program is `bin/npm-cli.js` of its package.
  const npm = dirname(dirname(process.env.npm_execpath!));
  await mkdir(local('lib/node_modules'), { recursive: true });
  await cp(npm, local('lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, local('bin', name));
  await run('chroot', [root, 'useradd', '--uid', '1000', '--create-home', 'node']);
  await engine.import(root, `docker.io/library/${BASE}`);
  await rm(root, { recursive: true });
}

async function fetchDebian(args: readonly string[]): Promise<void> {
  const options = { maxBuffer: 16 * 1024 * 1024, timeout: FETCHED_AT_MOST_MS };
  await run('debootstrap', args, options).catch((error: unknown) => {
    const { killed, stdout } = error as { killed: boolean; stdout: string };
    const why = killed ? `took more than ${FETCHED_AT_MOST_MS / 1000} s` : 'failed';
    throw new Error(`debootstrap ${args.join(' ')} ${why}: ${stdout.slice(-1_000)}`);
  });
}

/** Debian's mirror that this machine uses, if it is one of Debian. */
async function mirror(): Promise<string[]> {
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)']);
  const found = stdout.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  return found === undefined ? [] : [found];
}

/** The name of an image in docker-compose.yml. */
const named = (name: string): string =>
  new RegExp(`^ {4}image: (\\S*${name}:\\S+)$`, 'm').exec(read('docker-compose.yml'))![1]!;

/** Builds the tests' own server, or Debian's, under the name of an image of docker-compose.yml. */
function buildStandIn(engine: Engine, image: string, name: string, ...args: readonly string[]) {
  const tag = `docker.io/${image.includes('/') ? image : `library/${image}`}`;
  const file = ['--file', `${STAND_INS}/${name}.Containerfile`];
  return engine.build(tag, ...file, ...args, join(REPOSITORY, 'test'));
}

/** Debian's nginx and the tests' MongoDB server, on the base. */
export async function buildServers(engine: Engine): Promise<void> {
  await buildStandIn(engine, named('nginx'), 'nginx');
  const server = goProgram('mongodb');
  await buildStandIn(
    ...([engine, named('mongo'), 'mongodb'] as const),
    ...['--build-context', `programs=${dirname(server)}`],
    ...['--build-arg', `SERVER=${basename(server)}`],
  );
}

/** The tests' event store, which runs on the modules of the service's image. */
export function buildEventStore(engine: Engine): Promise<void> {
  return buildStandIn(engine, named('eventstore'), 'kurrentdb');
}
