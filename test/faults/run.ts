import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { percentile } from '../bench/harness/statistics.js';
import { buildServer } from '../support/processes.js';
import { hostile, said } from './hostile.js';
import { LEADER_FROZEN, LEADER_KILLED, MAJORITY_LOST } from './node-faults.js';
import { type Struck, trial } from './trial.js';

const USAGE = 'npm run test:faults -- [seconds] [seed] [--only hostile|one|cluster]';
const PARTS = ['hostile', 'one', 'cluster'] as const;
type Part = (typeof PARTS)[number];

/**
 * `USAGE`: first `hostile`, then `trial` for so long on one event store and on a cluster of three nodes (none for 0
 * seconds); or one of these parts alone. The seed decides which faults come in which order and what clients ask, not
 * when exactly. Ends with 1 if anything is not as it must be.
 */
const { values, positionals } = parseArgs({
  options: { only: { type: 'string' } },
  allowPositionals: true,
});
const [seconds = 120, seed = randomInt(2 ** 31)] = positionals.map(Number);
const parts = PARTS.filter((part) => values.only === undefined || values.only === part);
if (!(seconds >= 0) || !Number.isInteger(seed) || parts.length === 0) throw new Error(USAGE);

const logs = join(tmpdir(), `faults-${seed}`);
await buildServer();

/** @returns whether all is as it must be */
async function tryHostile(): Promise<boolean> {
  console.log('hostile requests');
  const breaches: string[] = [];
  for await (const felt of hostile()) {
    console.log(`  ${said(felt)}`);
    breaches.push(...felt.breaches);
  }
  for (const breach of breaches.slice(0, 50)) console.error(`BREACH ${breach}`);
  return breaches.length === 0;
}

/** Most that may pass until the service is back, ms: until the first answer by fault, and until all are ready. */
const ANSWERED_MS: Readonly<Record<string, number>> = {
  [LEADER_KILLED]: 4_000,
  [MAJORITY_LOST]: 2_000,
  [LEADER_FROZEN]: 13_000,
};
const READY_MS = 3_000;

/** What took longer than it may. */
function tooSlow({ names, answered_ms, ready_ms }: Struck): string[] {
  const slow: string[] = [];
  if (answered_ms > (ANSWERED_MS[names] ?? Infinity)) slow.push('first answer late');
  if (ready_ms > READY_MS) slow.push('ready late');
  return slow.map((what) => `${names}: ${what}`);
}

/** A line for each fault, of all the times it struck: p50 / longest. */
function table(struck: readonly Struck[]): string[] {
  const times = (all: readonly number[]): string => {
    const known = all.filter((ms) => !Number.isNaN(ms));
    if (known.length === 0) return '–'.padStart(15);
    const [p50, longest] = [0.5, 1].map((part) => (percentile(known, part) / 1000).toFixed(2));
    return `${p50} / ${longest} s`.padStart(15);
  };
  return [...Map.groupBy(struck, ({ names }) => names)].map(([names, all]) =>
    [
      `${names.padEnd(64)} ${String(all.length).padStart(3)} times`,
      `answered ${times(all.map(({ answered_ms }) => answered_ms))}`,
      `read model ${times(all.map(({ shown_ms }) => shown_ms))}`,
      `ready ${times(all.map(({ ready_ms }) => ready_ms))}`,
    ].join('  '),
  );
}

async function tryFaults(nodes: boolean): Promise<boolean> {
  const where = nodes ? 'on an event store of three nodes' : 'on one event store';
  console.log(`faults ${where} for ${seconds} s, seed ${seed}`);
  const begun = performance.now();
  const elapsed = (): string => ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
  const { struck, breaches, ...counts } = await trial({
    ...{ seconds, seed, logs, nodes },
    progress: (text) => console.log(`${elapsed()} s  ${text}`),
  });
  for (const [name, count] of Object.entries(counts))
    console.log(`${name.padEnd(14)} ${Math.round(count)}`);
  console.log(`faults         ${struck.length}`);
  console.log('p50 / longest of each fault');
  for (const line of table(struck)) console.log(`  ${line}`);
  const all = [...breaches, ...struck.flatMap(tooSlow)];
  for (const breach of all.slice(0, 50)) console.error(`BREACH ${breach}`);
  console.log(
    all.length === 0 ? 'all is well' : `${all.length} breaches, seed ${seed}, logs in ${logs}`,
  );
  return all.length === 0;
}

const TRIES: Readonly<Record<Part, () => Promise<boolean>>> = {
  hostile: tryHostile,
  one: () => tryFaults(false),
  cluster: () => tryFaults(true),
};
for (const part of parts) {
  if (part !== 'hostile' && seconds === 0) continue;
  if (await TRIES[part]()) continue;
  process.exitCode = 1;
  // A service that hostile requests bring down says nothing about faults.
  if (part === 'hostile') break;
}
