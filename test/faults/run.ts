import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildServer } from '../support/processes.js';
import { hostile, said } from './hostile.js';
import { trial } from './trial.js';

/**
 * `npm run test:faults -- [seconds] [seed]`: first `hostile`, then `trial` (none for 0 seconds). The seed decides which faults come in which order and
 * what clients ask, not when exactly. Ends with 1 if anything is not as it must be.
 */
const [seconds = 120, seed = randomInt(2 ** 31)] = process.argv.slice(2).map(Number);
const usage = 'npm run test:faults -- [seconds] [seed]';
if (!(seconds >= 0) || !Number.isInteger(seed)) throw new Error(usage);

const logs = join(tmpdir(), `faults-${seed}`);
buildServer();
console.log('hostile requests');
const hostile_breaches: string[] = [];
for await (const felt of hostile()) {
  console.log(`  ${said(felt)}`);
  hostile_breaches.push(...felt.breaches);
}
for (const breach of hostile_breaches.slice(0, 50)) console.error(`BREACH ${breach}`);
if (hostile_breaches.length > 0 || seconds === 0) process.exit(hostile_breaches.length > 0 ? 1 : 0);
console.log(`faults for ${seconds} s, seed ${seed}`);
const begun = performance.now();
const { struck, breaches, ...counts } = await trial({
  seconds,
  seed,
  logs,
  progress: (text) =>
    console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}`),
});
for (const [name, count] of Object.entries(counts))
  console.log(`${name.padEnd(14)} ${Math.round(count)}`);
console.log(`faults         ${struck.length}`);
for (const breach of breaches.slice(0, 50)) console.error(`BREACH ${breach}`);
console.log(
  breaches.length === 0
    ? 'all is well'
    : `${breaches.length} breaches, seed ${seed}, logs in ${logs}`,
);
process.exitCode = breaches.length === 0 ? 0 : 1;
