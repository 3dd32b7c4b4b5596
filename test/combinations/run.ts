import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { KurrentServerProcess } from '../servers/kurrentdb/process.js';
import { startMongo } from '../servers/mongodb/server.js';
import type { Combination } from '../support/combination.js';
import { type Count, countJest, sum, summary } from '../support/jest-run.js';
import { leftOut } from '../support/needs.js';
import { freePort, ServiceProcess } from '../support/processes.js';

/**
 * Runs the end-to-end specs of the interface on each combination of stores but the embedded one, which `npm run jest`
 * runs them on. On KurrentDB and MongoDB every service under test shares its stores with another API process, to which
 * half of all requests go, and where documents are in MongoDB with two workers. With its keys in a data folder a service
 * is alone. Needs what `npm run build` builds.
 *
 * Ends with the line "N passed, N failed"; before it a line says how many tests were left out where no MongoDB server
 * can be had. Arguments: combinations, and beginnings of specs' names; without any of a
 * kind, all.
 */

const ROOT = join(import.meta.dirname, '../..');
/** As `npm run jest` runs it. */
const JEST = [
  '--disable-warning=ExperimentalWarning',
  '--experimental-vm-modules',
  '--experimental-transform-types',
  '--import=./test/support/resolve-typescript.js',
  'node_modules/jest/bin/jest.js',
];

/** Specs that say how the interface behaves, whatever it stands on. */
const SPECS = [
  'api-keys',
  'as-of',
  'contacts',
  'content-download',
  'content-put',
  'content-upload',
  'default-disk',
  'directory-permissions',
  'disks',
  'groups',
  'interface',
  'invites',
  'min-revision',
  'organization',
  'quickstart',
  'races',
  'replay',
  'system-permissions',
  'scenario/as-of',
];

interface Names {
  readonly event_store: 'sqlite' | 'kurrentdb';
  /** Beside KurrentDB, unless it is MongoDB. */
  readonly side_store?: 'sqlite';
  readonly read_model: 'memory' | 'mongodb';
}

const ALL: readonly Names[] = [
  { event_store: 'sqlite', read_model: 'mongodb' },
  { event_store: 'kurrentdb', side_store: 'sqlite', read_model: 'memory' },
  { event_store: 'kurrentdb', read_model: 'memory' },
  { event_store: 'kurrentdb', read_model: 'mongodb' },
];

const nameOf = ({ event_store, side_store, read_model }: Names): string =>
  [event_store, side_store, read_model].filter((name) => name !== undefined).join('+');

const asked = process.argv.slice(2).filter((name) => name.includes('+'));
const asked_specs = process.argv.slice(2).filter((name) => !name.includes('+'));

/** Aborted when this is told to end, which it does after it has ended what it started; told again, at once. */
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stopping.abort(new Error(`ended by ${signal}`)));

/** Ends what was started, to be called in the opposite order. */
type Started = (() => Promise<unknown>)[];

/** A program of the service as a process of its own, once it listens; what it says of failures is shown at its end. */
async function start(
  program: 'api' | 'worker',
  env: Readonly<Record<string, string>>,
  started: Started,
): Promise<string> {
  const running = await ServiceProcess.start(program, env);
  started.push(async () => {
    await running.kill('SIGTERM');
    for (const line of running.output.split('\n'))
      if (/"level":"(?:error|fatal)"/.test(line)) console.error(`${program}: ${line}`);
  });
  if (running.url === '')
    throw new Error(`${program} ended before it listened:\n${running.output}`);
  stopping.signal.throwIfAborted();
  return running.url;
}

async function combine(names: Names, started: Started): Promise<Combination> {
  const { event_store, side_store, read_model } = names;
  const stores = { EVENT_STORE: event_store, READ_MODEL: read_model };
  if (side_store)
    return { env: { ...stores, SIDE_STORE: side_store }, replica: null, own_event_store: true };
  const mongo = await startMongo();
  started.push(() => mongo.stop());
  const env: Record<string, string> = {
    ...stores,
    MONGODB_URL: mongo.url,
    MONGODB_DATABASE: mongo.freshDatabase(),
    MASTER_KEY: '4d'.repeat(32),
    SIGNING_KEY: '53'.repeat(32),
    // Everything runs on few processors at one time.
    MIN_REVISION_WAIT_MS: '30000',
    READ_MODEL_WAIT_MS: '30000',
  };
  if (event_store === 'sqlite') return { env, replica: null };
  const kurrent = await KurrentServerProcess.start();
  started.push(() => kurrent.kill('SIGTERM'));
  env.KURRENTDB_URL = kurrent.url;
  const port = await freePort();
  const processes = { ...env, PUBLIC_URL: `http://127.0.0.1:${port}` };
  const url = await start('api', processes, started);
  if (read_model === 'mongodb')
    for (let nth = 0; nth < 2; nth++) await start('worker', processes, started);
  return { env, replica: { url, port } };
}

async function runSpecs(combination: Combination | null, ...more: readonly string[]): Promise<Ran> {
  let output = '';
  const count = await countJest(async (own) => {
    const suite = ['--testMatch', '**/test/combinations/together.ts'];
    const child = spawn(
      process.execPath,
      [...JEST, '--runInBand', '--verbose', ...suite, ...own, ...more],
      {
        cwd: ROOT,
        env: {
          ...process.env,
          TEST_COMBINATION: JSON.stringify(combination),
          COMBINED_SPECS: JSON.stringify(asked_specs.length > 0 ? asked_specs : SPECS),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    stopping.signal.addEventListener('abort', () => child.kill());
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    const [code] = await once(child, 'close');
    stopping.signal.throwIfAborted();
    return code === 0;
  });
  return { ...count, output };
}

/** How many tests a combination has: all are skipped. */
async function countSpecs(): Promise<number> {
  const { output } = await runSpecs(null, '--testNamePattern=(?!)');
  const [, skipped] = /^Tests: +(\d+) skipped/m.exec(output) ?? [];
  if (!skipped) throw new Error(`the specs were not counted:\n${output}`);
  return Number(skipped);
}

/** What Jest counted, and all it wrote. */
interface Ran extends Count {
  readonly output: string;
}

async function run(names: Names): Promise<Count> {
  const started: Started = [];
  try {
    const { output, ...count } = await runSpecs(await combine(names, started));
    console.log(`\n▶ ${nameOf(names)}\n${output}`);
    console.log(`${nameOf(names)}: ${count.passed} passed, ${count.failed} failed`);
    return count;
  } catch (error) {
    console.error(`\n▶ ${nameOf(names)}`, error);
    return { passed: 0, failed: 1 };
  } finally {
    for (const stopOne of started.toReversed()) await stopOne();
  }
}

const chosen = ALL.filter((names) => asked.length === 0 || asked.includes(nameOf(names)));
const [possible, left_out] = leftOut().includes('mongodb')
  ? [chosen.filter(({ side_store }) => side_store), chosen.filter(({ side_store }) => !side_store)]
  : [chosen, []];
// At one time: they mostly wait, for other processes and for the disk.
const counts: Count[] = await Promise.all(possible.map(run));
if (left_out.length > 0)
  counts.push({
    passed: 0,
    failed: 0,
    left_out: { mongodb: left_out.length * (await countSpecs()) },
  });
const all = sum(counts);
console.log(`\n${summary(all)}`);
process.exitCode = all.failed === 0 && chosen.length > 0 ? 0 : 1;
