import { setTimeout as after } from 'node:timers/promises';
import { Random } from '../bench/harness/random.js';
import { percentile } from '../bench/harness/statistics.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import * as checks from './checks.js';
import { Cluster } from './cluster.js';
import { Ledger, runClient } from './commands.js';
import { endThreads, threadsEnded, Verifications } from './background.js';
import { type Fault, inTurn, type Measured, type Service } from './faults.js';
import { NODE_FAULTS } from './node-faults.js';

/** Time after the last fault in which every command must be acknowledged, ms. */
const ANSWERED_WITHIN_MS = 60_000;
/** Time after a fault in which the read model must have caught up, ms. */
const SHOWN_WITHIN_MS = 60_000;
const CLIENTS = 8;
const ORGANIZATIONS = 3;
/** Mean pause of a client between two commands, ms. */
const PAUSE_MS = 100;

export interface TrialOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
  /** The event store is a cluster of three, and its nodes fail instead. */
  readonly nodes?: boolean;
  /** Folder for what the processes wrote, if anything is wrong; made here. */
  readonly logs?: string;
}

/** A fault and how long it took until all was well again; times in ms. */
export interface Struck {
  readonly names: string;
  readonly lasted_ms: number;
  /** From its end to the first command that was sent after it and acknowledged. */
  readonly answered_ms: number;
  /** From its end until the read model shows all that was acknowledged by then. */
  readonly shown_ms: number;
  /** Of a fault of a node, see `Measured`; else NaN. */
  readonly ready_ms: number;
}

export interface Report {
  readonly struck: readonly Struck[];
  readonly commands: number;
  readonly acknowledged: number;
  /** Acknowledged at the second try or later. */
  readonly tried_again: number;
  /** Acknowledged as having happened before. */
  readonly replayed: number;
  /** Refusals by a process that was behind another one; the command was tried again. */
  readonly refused_stale: number;
  /** From the first try to the acknowledgement, of all commands; ms. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  /** Background threads that were ended. */
  readonly threads_ended: number;
  /** Verifications that background threads answered, and those that ended with their thread. */
  readonly verified: number;
  readonly interrupted: number;
  readonly organizations: number;
  readonly events: number;
  /** What must never be; empty if all is well. */
  readonly breaches: readonly string[];
}

/**
 * Loads the service with commands and verifications while processes are killed, background threads end and the
 * event store fails at random, then looks whether everything that was acknowledged is there once, and everything derived
 * from it is as it must be.
 */
export async function trial(options: TrialOptions): Promise<Report> {
  const cluster = await Cluster.start({}, options.nodes ? 3 : 1);
  try {
    return await run(cluster, options);
  } finally {
    if (options.logs) cluster.writeLogs(options.logs);
    await cluster.stop();
  }
}

async function run(
  cluster: Cluster,
  { seconds, seed, progress, nodes = false }: TrialOptions,
): Promise<Report> {
  const ledger = new Ledger();
  const urls = cluster.apis.map(({ url }) => url);
  const organizations: Organization[] = [];
  for (let nth = 0; nth < ORGANIZATIONS; nth++) {
    const body = { org_name: `Organization ${nth}` };
    const { data } = await new Client(urls[nth % 2]!).post('/v1/factory/quickstart', body);
    organizations.push(organizationOf(urls[0]!, data));
  }
  const { drives, model } = await cluster.observer();
  const stopped = new AbortController();
  const given_up = new AbortController();
  const clients = Array.from({ length: CLIENTS }, (_, nth) =>
    runClient({
      ...{ ledger, organizations, urls, pause_ms: PAUSE_MS },
      ...{ random: new Random(seed + nth + 1) },
      ...{ stopped: stopped.signal, given_up: given_up.signal },
    }),
  );
  const verifications = new Verifications(urls, organizations, new Random(seed - 1));
  const enough_verified = new AbortController();
  const verifying = verifications.always(enough_verified.signal);
  const ending = endThreads(cluster, new Random(seed - 2), stopped.signal);
  const breaches: string[] = [];
  const struck: Struck[] = [];
  const ends_at = performance.now() + seconds * 1000;
  const random = new Random(seed);
  const service = serviceOf(ledger, organizations[0]!, urls);
  for (const faults of nodes ? inTurn(random, NODE_FAULTS, 0) : inTurn(random)) {
    await after(random.below(1000));
    if (performance.now() >= ends_at) break;
    const one = await strike(cluster, ledger, faults, random, service, (revisions) =>
      checks.shown(model, revisions, SHOWN_WITHIN_MS),
    );
    progress(said(one));
    struck.push(one);
    if (one.shown_ms >= SHOWN_WITHIN_MS) breaches.push(`${one.names}: read model stays behind`);
    if (one.answered_ms >= ANSWERED_WITHIN_MS) breaches.push(`${one.names}: no answers`);
  }
  progress('faults off');
  stopped.abort();
  const giving_up = setTimeout(() => given_up.abort(), ANSWERED_WITHIN_MS);
  await Promise.all(clients);
  clearTimeout(giving_up);
  await ending;
  enough_verified.abort();
  await verifying;
  await verifications.last();
  const { verified } = verifications;
  await checks.reached(drives);
  const heads = await checks.headsOf(drives);
  if (!(await checks.shown(model, heads, SHOWN_WITHIN_MS)))
    breaches.push('the read model does not come to the heads of all streams');
  progress('looking at everything');
  const by_request = await checks.eventsByRequest(drives);
  breaches.push(
    ...cluster.breaches,
    ...ledger.unexpected,
    ...verified.unexpected,
    ...checks.complaints(ledger.commands, by_request),
    ...(await checks.drift(drives, heads.keys())),
  );
  for (const { drive_id, admin } of organizations) {
    const at = urls.map((url) => new Client(`${url}/v1/drive/${drive_id}`, admin.token));
    breaches.push(...(await checks.replicas(drives, ledger, drive_id, at)));
  }
  const acknowledged = ledger.acknowledged();
  const latencies = acknowledged.map(({ acknowledged_ms, sent_ms }) => acknowledged_ms - sent_ms);
  return {
    struck,
    commands: ledger.commands.length,
    acknowledged: acknowledged.length,
    tried_again: acknowledged.filter(({ tries }) => tries > 1).length,
    replayed: acknowledged.filter(({ is_replayed }) => is_replayed).length,
    refused_stale: ledger.commands.reduce((sum, one) => sum + one.refused_stale, 0),
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    longest_ms: percentile(latencies, 1),
    threads_ended: threadsEnded(cluster),
    verified: verified.answered,
    interrupted: verified.interrupted,
    organizations: heads.size - 1,
    events: [...by_request.values()].reduce((sum, { length }) => sum + length, 0),
    breaches,
  };
}

async function strike(
  cluster: Cluster,
  ledger: Ledger,
  faults: readonly Fault[],
  random: Random,
  service: Service,
  shown: (revisions: ReadonlyMap<string, number>) => Promise<boolean>,
): Promise<Struck> {
  const from = performance.now();
  const measured = await Promise.all(faults.map((fault) => fault.strike(cluster, random, service)));
  const [figures] = measured.filter((one): one is Measured => one !== undefined);
  const over = performance.now();
  const answer = service.answered(over);
  await shown(new Map(ledger.revisions));
  const shown_ms = performance.now() - over;
  return {
    names: faults.map(({ name }) => name).join(' + '),
    lasted_ms: over - from,
    answered_ms: figures?.answered_ms ?? (await answer) - over,
    shown_ms,
    ready_ms: figures?.ready_ms ?? NaN,
  };
}

function serviceOf(
  ledger: Ledger,
  { drive_id, admin }: Organization,
  urls: readonly string[],
): Service {
  const until = (): number => performance.now() + ANSWERED_WITHIN_MS;
  return {
    answered: (since_ms) =>
      Promise.race([
        ledger.nextAnswer(since_ms),
        after(ANSWERED_WITHIN_MS, undefined, { ref: false }).then(() => performance.now()),
      ]),
    async ready() {
      const least = String(ledger.revisions.get(drive_id) ?? 0);
      const back = urls.map(async (url) => {
        const list = (): Promise<Response> =>
          fetch(`${url}/v1/drive/${drive_id}/groups/list`, {
            method: 'POST',
            body: '{}',
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${admin.token}`,
              'min-drive-revision': least,
            },
          });
        const tried = async (ask: () => Promise<Response>): Promise<boolean> =>
          ask().then(
            (response) => response.text().then(() => response.status === 200),
            () => false,
          );
        for (const given_up = until(); performance.now() < given_up; await after(25))
          if ((await tried(() => fetch(`${url}/ready`))) && (await tried(list))) return;
      });
      await Promise.all(back);
      return performance.now();
    },
  };
}

/** A line about a fault. */
export function said({ names, lasted_ms, answered_ms, shown_ms, ready_ms }: Struck): string {
  const [lasted, answered, shown] = [lasted_ms, answered_ms, shown_ms].map(
    (ms) => `${Math.round(ms)} ms`,
  );
  const ready = Number.isNaN(ready_ms)
    ? ''
    : `, ready ${Math.round(ready_ms)} ms after the election`;
  return `${names}: lasted ${lasted}, answered after ${answered}, read model after ${shown}${ready}`;
}
