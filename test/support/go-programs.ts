import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** Also for compiled code, which lies elsewhere. */
const REPOSITORY = dirname(findPackageJSON(import.meta.url)!);
const CACHE = join(REPOSITORY, 'node_modules/.cache/go-programs');

/** Programs in Go that tests run, each in its folder below `test`. */
const FOLDERS = { mongodb: 'servers/mongodb', compose: 'docs/compose' } as const;
export type GoProgram = keyof typeof FOLDERS;

/**
 * The path of a program. It is built if nobody has built these sources yet: a first build downloads
 * modules and takes up to two minutes.
 * @throws Error when it cannot be built
 */
export function goProgram(name: GoProgram): string {
  const folder = folderOf(name);
  const program = join(CACHE, `${name}-${contentHash(folder)}`);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  // Several processes may build at a time: each into a place of its own, moved when it is whole.
  const aside = `${program}.${process.pid}`;
  const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', aside, '.'];
  const { error, status, stderr } = spawnSync('go', args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  if (error) throw new Error(`the tests' program ${name} needs Go in PATH`, { cause: error });
  if (status !== 0) throw new Error(`the tests' program ${name} was not built:\n${stderr}`);
  renameSync(aside, program);
  return program;
}

function folderOf(name: GoProgram): string {
  return join(REPOSITORY, 'test', FOLDERS[name]);
}

function contentHash(folder: string): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  const sources = readdirSync(folder).filter((file) => /\.go$|^go\.(?:mod|sum)$/.test(file));
  for (const file of sources.sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Files that gofmt would write otherwise. */
function unformatted(folder: string): string {
  return execFileSync('gofmt', ['-l', '.'], { cwd: folder, encoding: 'utf8' });
}

// Run ahead of the tests, so that none of them waits for a compiler.
if (import.meta.main)
  for (const name of Object.keys(FOLDERS) as GoProgram[]) {
    goProgram(name);
    const found = unformatted(folderOf(name));
    if (found) throw new Error(`to be formatted by gofmt:\n${found}`);
  }
