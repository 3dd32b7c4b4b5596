import { loadavg } from 'node:os';
import { show } from '../bench/harness/report.js';
import { buildServer } from '../support/processes.js';
import { coldLoad } from './cold-load.js';
import { fairness } from './fairness.js';
import { groupCommit } from './group-commit.js';
import { lags } from './lag.js';

/**
 * `npm run bench:servers -- [rates…]`: figures of the service on KurrentDB's test server and FerretDB. They say how
 * the service's own parts relate; the servers themselves are those of the tests, not the ones of production.
 */
const rates = process.argv.slice(2).map(Number);
const DURATION_MS = 5000;
const EVENTS_LOADED = 50_000;
const LOADS = 3;

await buildServer();
console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
const { grouped, one_by_one } = await groupCommit();
console.log(
  `one drive, 64 in flight: ${show(grouped)}/s with group commit, ${show(one_by_one)}/s with one append ` +
    `per command: ${show(grouped / one_by_one)} ×`,
);
const load = await coldLoad(EVENTS_LOADED, LOADS);
console.log(
  `cold load of ${show(load.events)} events: ${show(load.folded)}/s folded, ${show(load.plain)}/s in one long read of ` +
    `the plain client: ${show(load.ratio)} × (target ≥ 0.8)`,
);
const fair = await fairness(DURATION_MS);
const [mine, theirs] = fair.answered;
const share = mine / (mine + theirs);
console.log(
  `two processes, one organization, 16 writers each: p50 ${show(fair.p50_ms)} ms, p99 ${show(fair.p99_ms)} ms ` +
    `(target ≤ 250), longest ${show(fair.longest_ms)} ms (≤ 2 000), ${show(mine)} and ${show(theirs)} commands ` +
    `(${(100 * share).toFixed(0)} % and ${(100 - 100 * share).toFixed(0)} %), ${fair.given_up} given up`,
);
for await (const { asked, reached, p50_ms, p99_ms, not_shown, worker_cpu_us } of lags(
  rates.length > 0 ? rates : [20, 2000],
  DURATION_MS,
))
  console.log(
    `${asked} commands/s asked for, ${show(reached)}/s acknowledged: documents lag p50 ${show(p50_ms)} ms, ` +
      `p99 ${show(p99_ms)} ms; workers ${show(worker_cpu_us)} µs of processor a command${not_shown > 0 ? `, ${not_shown} not shown within a minute` : ''}`,
  );
