import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Plain JavaScript: it runs before every start, and Node takes a tenth of a second to read TypeScript.
 *
 * Compiles `apps` and `libs` into `dist`, unless `dist` is what the last compilation made of the same
 * sources. Contents decide: times of files lie after a checkout or a restored backup. They need not be
 * read while every file is the one that was read last, unchanged: the same inode, size and time of its last
 * change (ctime, which no program can set).
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

/** A file changed this long ago would show another time after another change. */
const SETTLED_MS = 100;

/** The compiler found something; it has said what. */
export class NotCompiled extends Error {
  /** @override */
  name = 'NotCompiled';
}

/**
 * What is known of the last compilation; each a digest. `looks` is of what both look like from outside,
 * `''` if that is not known for sure.
 * @typedef {{ readonly inputs: string, readonly outputs: string, readonly looks: string }} Stamp
 */

/**
 * Brings `dist` up to date.
 * @param {string} root
 * @param {number} [now_ms]
 * @returns {boolean} true if it had to compile
 * @throws NotCompiled
 */
export function build(root, now_ms = Date.now()) {
  const stamp = readStamp(root);
  const sources = filesOf(root, INPUTS);
  const compiled = filesOf(root, OUTPUTS, '.js');
  const looks = looksOf(root, [...sources, ...compiled], now_ms);
  if (looks !== '' && stamp?.looks === looks) return false;
  const inputs = digestOf(root, sources);
  const outputs = digestOf(root, compiled);
  if (stamp?.outputs === outputs && stamp.inputs === inputs) {
    writeStamp(root, { inputs, outputs, looks });
    return false;
  }
  rmSync(join(root, STAMP), { force: true });
  // The compiler writes only what it believes to have changed, and does not look at what it wrote before.
  if (stamp?.outputs !== outputs) rmSync(join(root, COMPILERS_OWN), { force: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) throw new NotCompiled();
  // Sources that changed meanwhile may or may not be in it.
  if (digestOf(root, filesOf(root, INPUTS)) !== inputs) return true;
  const made = digestOf(root, filesOf(root, OUTPUTS, '.js'));
  writeStamp(root, { inputs, outputs: made, looks: '' });
  return true;
}

/**
 * @param {string} root
 * @returns {Stamp | null}
 */
function readStamp(root) {
  const [inputs, outputs, looks] = contentOf(join(root, STAMP))?.toString().split('\n') ?? [];
  return inputs && outputs && looks !== undefined ? { inputs, outputs, looks } : null;
}

/**
 * @param {string} root
 * @param {Stamp} stamp
 */
function writeStamp(root, { inputs, outputs, looks }) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, STAMP), [inputs, outputs, looks].join('\n'));
}

/**
 * Paths of files and of all files in folders, in one order, but not of specs, which are not compiled.
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {string} [ending] of names in folders
 * @returns {string[]}
 */
function filesOf(root, paths, ending = '') {
  return paths.flatMap((path) => {
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (!found) return [];
    if (!found.isDirectory()) return [path];
    const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
    return entries
      .filter(({ name }) => name.endsWith(ending) && !name.endsWith('.spec.ts'))
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name).slice(join(root, '/').length))
      .toSorted();
  });
}

/**
 * Digest of files by path and content.
 * @param {string} root
 * @param {readonly string[]} paths
 */
function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = contentOf(join(root, path));
    if (content) hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Digest of files by all that changes with them; `''` if one has only just changed.
 * @param {string} root
 * @param {readonly string[]} paths
 * @param {number} now_ms
 */
function looksOf(root, paths, now_ms) {
  const hash = createHash('sha256');
  const settled_ns = BigInt(Math.floor(now_ms - SETTLED_MS)) * 1_000_000n;
  for (const path of paths) {
    const found = statSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (!found || found.ctimeNs > settled_ns) return '';
    const { dev, ino, size, mtimeNs, ctimeNs } = found;
    hash.update(`${path}\0${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}\0`);
  }
  return hash.digest('hex');
}

/**
 * Null where nothing is.
 * @param {string} place
 * @returns {Buffer | null}
 */
function contentOf(place) {
  try {
    return readFileSync(place);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
}

/** Run as a program it builds, and becomes the built program that its first argument names, if any. */
if (import.meta.main)
  try {
    build(process.cwd());
    const [program] = process.argv.splice(2, 1);
    if (program !== undefined) {
      process.argv[1] = resolve(program);
      await import(pathToFileURL(process.argv[1]).href);
    }
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
    process.exitCode = 1;
  }
