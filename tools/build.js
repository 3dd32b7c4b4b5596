import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as after } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/**
 * Plain JavaScript: it runs before every start, and Node takes a tenth of a second to read TypeScript.
 *
 * Compiles the service and the console into `dist`, each unless `dist` is what its last compilation made of the
 * same sources. Contents decide: times of files lie after a checkout or a restored backup. They need not be
 * read while every file is the one that was read last, unchanged: the same inode, size and time of its last
 * change (ctime, which no program can set). Without sources, as in the image, `dist` stays as it is.
 */

/**
 * Something that a compiler makes.
 * @typedef {object} Target
 * @property {readonly string[]} inputs folders and files that it depends on
 * @property {readonly string[]} without folders and files within these that it does not depend on
 * @property {readonly string[]} outputs folders that it is in
 * @property {string} ending of the names of its files
 * @property {string} stamp
 * @property {readonly string[]} compilers_own what the compiler remembers of its last run
 * @property {readonly string[]} command
 */

const PACKAGES = ['package.json', 'package-lock.json'];
const CONSOLE = 'apps/console';
const CLIENT = 'libs/client';

/** @type {readonly Target[]} */
const TARGETS = [
  {
    inputs: ['apps', 'libs', ...PACKAGES, 'tsconfig.json', 'tsconfig.build.json'],
    without: [CONSOLE, CLIENT],
    outputs: ['dist/apps', 'dist/libs'],
    ending: '.js',
    stamp: 'dist/.build-stamp',
    compilers_own: ['dist/.tsbuildinfo'],
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
  },
  {
    inputs: [CONSOLE, CLIENT, ...PACKAGES],
    // What packing the client compiles.
    without: [`${CLIENT}/dist`],
    outputs: ['dist/console'],
    ending: '',
    stamp: 'dist/.console-stamp',
    compilers_own: [],
    command: ['node_modules/vite/bin/vite.js', 'build', CONSOLE, '--logLevel', 'warn'],
  },
];

const LOCK = 'dist/.build-lock';
const SQLITE_BUSY = 5;
/** Interval between two attempts to lock, ms. */
const LOOK_EVERY_MS = 50;

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
 * Brings `dist` up to date; several compilers run at the same time.
 * @param {string} root
 * @param {number} [now_ms]
 * @returns {Promise<boolean>} true if it had to compile
 * @throws NotCompiled
 */
export async function build(root, now_ms = Date.now()) {
  const present = TARGETS.filter(({ inputs: [folder] }) => existsSync(join(root, folder ?? '')));
  if (present.every((target) => looksCurrent(root, target, now_ms))) return false;
  const unlock = await lock(root);
  try {
    const updates = await Promise.allSettled(
      present.map((target) => refresh(root, target, now_ms)),
    );
    for (const update of updates) if (update.status === 'rejected') throw update.reason;
    return updates.some((update) => update.status === 'fulfilled' && update.value);
  } finally {
    unlock();
  }
}

/**
 * Waits until no other build works on `dist`. The lock belongs to the operating system, held by an open SQLite
 * transaction, so it ends with its process.
 * @param {string} root
 * @returns {Promise<() => void>} unlocks
 */
async function lock(root) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const held = new DatabaseSync(join(root, LOCK), { timeout: 0 });
  for (;;)
    try {
      held.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return () => held.close();
    } catch (error) {
      if (/** @type {{ errcode?: number }} */ (error).errcode !== SQLITE_BUSY) throw error;
      await after(LOOK_EVERY_MS);
    }
}

/**
 * True if a target is known to be up to date without its contents being read.
 * @param {string} root
 * @param {Target} target
 * @param {number} now_ms
 */
function looksCurrent(root, target, now_ms) {
  const compiled = filesOf(root, target.outputs, target.ending);
  const looks = looksOf(root, [...sourcesOf(root, target), ...compiled], now_ms);
  return looks !== '' && readStamp(root, target)?.looks === looks;
}

/**
 * Brings one target up to date.
 * @param {string} root
 * @param {Target} target
 * @param {number} now_ms
 * @returns {Promise<boolean>} true if it had to compile
 * @throws NotCompiled
 */
async function refresh(root, target, now_ms) {
  const last = readStamp(root, target);
  const sources = sourcesOf(root, target);
  const compiled = filesOf(root, target.outputs, target.ending);
  const looks = looksOf(root, [...sources, ...compiled], now_ms);
  if (looks !== '' && last?.looks === looks) return false;
  const inputs = digestOf(root, sources);
  const outputs = digestOf(root, compiled);
  if (last?.outputs === outputs && last.inputs === inputs) {
    writeStamp(root, target, { inputs, outputs, looks });
    return false;
  }
  rmSync(join(root, target.stamp), { force: true });
  // A compiler writes only what it believes to have changed, and does not look at what it wrote before.
  if (last?.outputs !== outputs)
    for (const path of target.compilers_own) rmSync(join(root, path), { force: true });
  await run(root, target.command);
  // Sources that changed meanwhile may or may not be in it.
  if (digestOf(root, sourcesOf(root, target)) !== inputs) return true;
  const made = digestOf(root, filesOf(root, target.outputs, target.ending));
  writeStamp(root, target, { inputs, outputs: made, looks: '' });
  return true;
}

/**
 * Runs a program of Node.js.
 * @param {string} root
 * @param {readonly string[]} command
 * @throws NotCompiled
 */
async function run(root, [program = '', ...args]) {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: 'inherit',
    // Whatever started this: React has another, slower form for development.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new NotCompiled();
}

/**
 * @param {string} root
 * @param {Target} target
 */
function sourcesOf(root, { inputs, without }) {
  const left_out = without.map((path) => `${path}/`);
  return filesOf(root, inputs).filter((path) => !left_out.some((start) => path.startsWith(start)));
}

/**
 * @param {string} root
 * @param {Target} target
 * @returns {Stamp | null}
 */
function readStamp(root, { stamp }) {
  const [inputs, outputs, looks] = contentOf(join(root, stamp))?.toString().split('\n') ?? [];
  return inputs && outputs && looks !== undefined ? { inputs, outputs, looks } : null;
}

/**
 * @param {string} root
 * @param {Target} target
 * @param {Stamp} made
 */
function writeStamp(root, { stamp }, { inputs, outputs, looks }) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(join(root, stamp), [inputs, outputs, looks].join('\n'));
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
    await build(process.cwd());
    const [program] = process.argv.splice(2, 1);
    if (program !== undefined) {
      process.argv[1] = resolve(program);
      await import(pathToFileURL(process.argv[1]).href);
    }
  } catch (error) {
    if (!(error instanceof NotCompiled)) throw error;
    process.exitCode = 1;
  }
