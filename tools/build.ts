import { spawnSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compiles `apps` and `libs` into `dist`, unless `dist` is what the last compilation made of the same
 * sources. Everything is compared by content: times of files lie after a checkout or a restored backup.
 */

/** Folders and files that what is compiled depends on. */
const INPUTS = [
  'apps',
  'libs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const OUTPUTS = ['dist/apps', 'dist/libs'];
const STAMP = 'dist/.build-stamp';
/** What the compiler remembers of its last run. */
const COMPILERS_OWN = 'dist/.tsbuildinfo';

/** The compiler found something; it has said what. */
export class NotCompiled extends Error {
  override readonly name = 'NotCompiled';
}

/** Brings `dist` up to date. @returns true if it had to compile @throws NotCompiled */
export function build(root: string): boolean {
  const at = (path: string): string => join(root, path);
  const inputs = digestOf(root, INPUTS);
  const stamp = existsSync(at(STAMP)) ? readFileSync(at(STAMP), 'utf8') : '';
  const [made_of, made] = stamp.split('\n');
  const is_intact = made === digestOf(root, OUTPUTS, '.js');
  if (is_intact && made_of === inputs) return false;
  rmSync(at(STAMP), { force: true });
  // The compiler writes only what it believes to have changed, and does not look at what it wrote before.
  if (!is_intact) rmSync(at(COMPILERS_OWN), { force: true });
  const compiler = at('node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new NotCompiled();
  // Sources that changed meanwhile may or may not be in it.
  if (digestOf(root, INPUTS) !== inputs) return true;
  mkdirSync(at('dist'), { recursive: true });
  writeFileSync(at(STAMP), `${inputs}\n${digestOf(root, OUTPUTS, '.js')}\n`);
  return true;
}

/**
 * Digest of files by path and content, and of all files in folders but specs, which are not compiled.
 * @param ending of their names, unless all count
 */
function digestOf(root: string, paths: readonly string[], ending = ''): string {
  const hash = createHash('sha256');
  for (const path of paths) add(hash, root, path, ending);
  return hash.digest('hex');
}

function add(hash: Hash, root: string, path: string, ending: string): void {
  const place = join(root, path);
  const content = contentOf(place);
  if (content) {
    hash.update(`${path}\0${content.length}\0`).update(content);
    return;
  }
  if (!existsSync(place)) return;
  const entries = readdirSync(place, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    if (entry.isDirectory() || (entry.name.endsWith(ending) && !entry.name.endsWith('.spec.ts')))
      add(hash, root, `${path}/${entry.name}`, ending);
}

/** Null for a folder, and where nothing is. */
function contentOf(place: string): Buffer | null {
  try {
    return readFileSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR' || code === 'ENOENT') return null;
    throw error;
  }
}

if (import.meta.main)
  try {
    build(process.cwd());
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
    process.exitCode = 1;
  }
