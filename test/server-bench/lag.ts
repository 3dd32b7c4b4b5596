import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { DEFAULT_LIMITS } from '../../libs/engine/drives/limits.js';
import type { ReadModel } from '../../libs/read-model/port.js';
import { percentile } from '../bench/harness/statistics.js';
import { Cluster, type Supervised } from '../faults/cluster.js';
import { Client, type Organization, organizationOf } from '../support/client.js';

const ORGANIZATIONS = 4;
/** Few, so that what the server for tests takes for each document hides less of the rest. */
const GROUPS = 8;
const CONNECTIONS = 64;
/** Looking is work for the server, too, which it takes from what is looked at. */
const POLL_MS = 20;
/** As in production, not as in fault runs, whose workers balance their shares and make snapshots all the time. */
const SETTINGS = {
  WORKER_LEASE_MS: '15000',
  SNAPSHOT_EVERY_EVENTS: String(DEFAULT_LIMITS.snapshot_every_events),
  SNAPSHOT_AFTER_EVENTS: String(DEFAULT_LIMITS.snapshot_after_events),
};
const SHOWN_WITHIN_MS = 60_000;

export interface Lag {
  /** Commands a second that were asked for, and acknowledged. */
  readonly asked: number;
  readonly reached: number;
  /** From acknowledgement until the checkpoint behind the documents says so, at most 20 ms late; ms. */
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Acknowledged, and not shown a minute after the last command. */
  readonly not_shown: number;
  /** Processor time of the workers for each acknowledged command, µs. */
  readonly worker_cpu_us: number;
}

interface Acknowledged {
  readonly revision: number;
  readonly at_ms: number;
}

/** Changes groups of some organizations at rates, and looks how long after their answers documents show it. */
export async function* lags(rates: readonly number[], duration_ms: number): AsyncGenerator<Lag> {
  const cluster = await Cluster.start(SETTINGS);
  try {
    const organizations: Organization[] = [];
    const groups: string[][] = [];
    for (let nth = 0; nth < ORGANIZATIONS; nth++) {
      const url = cluster.apis[nth % 2]!.url;
      const body = { org_name: `Organization ${nth}` };
      const { data } = await new Client(url).post('/v1/factory/quickstart', body);
      const organization = organizationOf(url, data);
      organizations.push(organization);
      const made: string[] = [];
      for (let group = 0; group < GROUPS; group++)
        made.push((await organization.admin.post('/groups/create', { name: 'Group' })).data.id);
      groups.push(made);
    }
    const { model } = await cluster.observer();
    await untilShown(organizations, groups, model);
    for (const rate of rates) {
      const before = cpuOf(cluster.workers);
      const lag = await lagAt(rate, duration_ms, organizations, groups, model);
      const worker_cpu_us = (cpuOf(cluster.workers) - before) / (lag.reached * lag.seconds);
      yield { ...lag, worker_cpu_us };
    }
  } finally {
    await cluster.stop();
  }
}

/** Ticks of the system's clock for processor times, 100 a second on Linux. */
const TICK_US = 10_000;

/** Processor time of programs since they began, µs. */
function cpuOf(programs: readonly Supervised[]): number {
  const ticks = programs.map(({ pid }) => {
    // The name of the program, in parentheses, may contain spaces.
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, of_one) => sum + of_one, 0) * TICK_US;
}

/** The first events of an organization wait until the workers have divided their work. */
async function untilShown(
  organizations: readonly Organization[],
  groups: readonly string[][],
  model: ReadModel,
): Promise<void> {
  const agent = new Agent();
  for (const [nth, organization] of organizations.entries()) {
    const revision = await change(agent, organization, groups[nth]![0]!, 'Group');
    while (((await model.checkpoint(organization.drive_id))?.revision ?? -1) < revision)
      await after(POLL_MS);
  }
}

async function lagAt(
  rate: number,
  duration_ms: number,
  organizations: readonly Organization[],
  groups: readonly string[][],
  model: ReadModel,
): Promise<Omit<Lag, 'worker_cpu_us'> & { seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const waiting = new Map<string, Acknowledged[]>();
  for (const { drive_id } of organizations) waiting.set(drive_id, []);
  const found: number[] = [];
  const look = async (): Promise<number> => {
    let left = 0;
    for (const [drive_id, list] of waiting) {
      const revision = (await model.checkpoint(drive_id))?.revision ?? -1;
      const now = performance.now();
      const behind = list.splice(0).filter((one) => {
        if (one.revision > revision) return true;
        found.push(Math.max(0, now - one.at_ms));
        return false;
      });
      list.push(...behind);
      left += list.length;
    }
    return left;
  };
  const begun = performance.now();
  let sent = 0;
  let acknowledged = 0;
  const keepAsking = async (): Promise<void> => {
    while (performance.now() - begun < duration_ms) {
      const nth = sent++;
      const early_ms = (nth / rate) * 1000 - (performance.now() - begun);
      if (early_ms > 1) await after(early_ms);
      const at = nth % organizations.length;
      const organization = organizations[at]!;
      const id = groups[at]![Math.floor(nth / organizations.length) % GROUPS]!;
      const revision = await change(agent, organization, id, `Group ${nth}`);
      acknowledged++;
      waiting.get(organization.drive_id)!.push({ revision, at_ms: performance.now() });
    }
  };
  let is_over = false;
  const looking = (async () => {
    while (!is_over) {
      await look();
      await after(POLL_MS);
    }
  })();
  await Promise.all(Array.from({ length: CONNECTIONS }, keepAsking));
  const took_ms = performance.now() - begun;
  is_over = true;
  await looking;
  const deadline = performance.now() + SHOWN_WITHIN_MS;
  let not_shown = await look();
  while (not_shown > 0 && performance.now() < deadline) {
    await after(POLL_MS);
    not_shown = await look();
  }
  agent.destroy();
  return {
    asked: rate,
    seconds: took_ms / 1000,
    reached: (acknowledged / took_ms) * 1000,
    p50_ms: percentile(found, 0.5),
    p99_ms: percentile(found, 0.99),
    not_shown,
  };
}

/** Changes a group and gives the revision of the change. */
function change(agent: Agent, { admin }: Organization, id: string, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${admin.token}`,
    };
    const asking = request(`${admin.base}/groups/update`, { agent, method: 'POST', headers });
    asking.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(Number(response.headers['drive-revision']));
        else reject(new Error(`groups/update answered ${response.statusCode}`));
      });
    });
    asking.end(JSON.stringify({ id, name }));
  });
}
