import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { percentile } from '../bench/harness/statistics.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { act, makeDisk, makeFolder } from '../support/directory.js';
import { ServiceProcess } from '../support/processes.js';

/** Most memory that a service may take, whatever it is asked, bytes. */
const MOST_MEMORY = 1_500 * 1024 ** 2;
/** Longest that others may wait while one event that copies tens of thousands of items is applied, ms (p99). */
const MOST_WAIT_MS = 1_000;
/** Pause of a bystander between two requests, ms. */
const PAUSE_MS = 5;

/** What others felt of an attack. */
export interface Felt {
  readonly attack: string;
  /** Of the attack, in a few words. */
  readonly outcome: string;
  readonly seconds: number;
  /** Most memory that the process has had, bytes; NaN where the system does not tell. */
  readonly memory: number;
  readonly get_p50_ms: number;
  readonly get_p99_ms: number;
  readonly health_p99_ms: number;
  /** What must not be; empty if all is well. */
  readonly breaches: readonly string[];
}

interface Attack {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Attacks the organization; gives the outcome in a few words. */
  run(org: Organization, breach: (what: string) => void): Promise<string>;
}

/** Statuses that the attacks may be answered with: done, refused, or asked to wait. */
const EXPECTED = new Set([200, 400, 413, 429]);

const ATTACKS: readonly Attack[] = [
  {
    name: 'copy bomb',
    async run(org, breach) {
      const disk = await makeDisk(org);
      const [one, other] = [
        await makeFolder(org.admin, disk, 'One'),
        await makeFolder(org.admin, disk, 'Other'),
      ];
      const actions = Array.from({ length: 100 }, (_, nth) => ({
        action: 'CREATE_FILE',
        payload: {
          name: `f${nth}.txt`,
          parent_folder_uuid: one.id,
          disk_id: disk.id,
          file_size: 1,
        },
      }));
      for (let at = 0; at < 100; at += 20)
        await org.admin.post('/directory/action', { actions: actions.slice(at, at + 20) });
      const itself = await act(org.admin, 'COPY_FOLDER', {
        id: one.id,
        destination_folder_id: one.id,
      });
      if (itself.error?.code !== 400) breach('a folder was copied into itself');
      let copies = 0;
      for (const [from, to] of doublings(one.id, other.id)) {
        const { error } = await act(org.admin, 'COPY_FOLDER', {
          id: from,
          destination_folder_id: to,
        });
        if (error && error.code !== 413) breach(`a copy was refused with ${error.code}`);
        if (error) break;
        if (++copies === 16) breach('16 doublings of 100 files were copied');
        if (copies === 16) break;
      }
      return `${copies} doublings of 100 files, then refused`;
    },
  },
  {
    name: 'transaction blow-up',
    async run(org, breach) {
      const members = await org.admin.post('/groups/list');
      const group = members.data.items[0].id as string;
      const invites = Array.from({ length: 100 }, (_, at) => ({
        path: 'groups/invites/create',
        body: {
          group_id: group,
          invitee_id: `UserID_m${at}`,
          role: 'MEMBER',
          note: 'n'.repeat(256),
        },
      }));
      const made = await org.admin.post('/transaction', { commands: invites });
      if (made.status !== 200) breach(`members were not made: ${made.status}`);
      const references = Array<string>(200).fill('$0.member_previews');
      const first = { path: 'groups/update', body: { id: group, public_note: 'n'.repeat(4_000) } };
      const blown = { path: 'organization/inbox', body: { payload: references } };
      const commands = [first, ...Array.from({ length: 99 }, () => blown)];
      const statuses = new Map<number, number>();
      for (let round = 0; round < 5; round++) {
        const { status, err } = await org.admin.post('/transaction', { commands });
        count(statuses, status);
        if (status !== 413) breach(`answered ${status} ${err?.type}`);
      }
      return tally(statuses);
    },
  },
  {
    name: '100 unread feeds',
    env: { FEEDS_PER_CALLER: '100', FEEDS_UNREAD_BYTES: '16777216' },
    async run(org, breach) {
      await fill(org, 300, 'x'.repeat(20_000));
      const { host, port, pathname } = new URL(org.admin.base);
      const head = [
        `GET ${pathname}/organization/events?from=-1 HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${org.admin.token}`,
      ];
      const sockets = Array.from({ length: 100 }, () => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(`${head.join('\r\n')}\r\n\r\n`),
        );
        // What is never read stays where it is.
        socket.pause();
        socket.on('error', () => {});
        return socket;
      });
      await after(5_000);
      const beyond = await fetch(`${org.admin.base}/organization/events?from=-1`, {
        headers: { authorization: `Bearer ${org.admin.token}` },
      });
      if (beyond.status !== 429) breach(`the feed after the 100th was answered ${beyond.status}`);
      await beyond.body?.cancel();
      for (const socket of sockets) socket.destroy();
      return `6 MB of events behind each, the next one ${beyond.status}`;
    },
  },
  {
    name: '200 small questions',
    async run(org, breach) {
      await fill(org, 6_000, 'noted');
      const resource = { grantee_id: org.admin.user_id, resource_id: 'TABLE_GROUPS' };
      const questions: [string, object][] = [
        ['/organization/access_timeline', resource],
        ['/organization/access_diff', { from: { revision: 0 } }],
        ['/organization/compare', { from: { revision: 0 } }],
        ['/organization/replay', { revision: 4_000, verify: true }],
        ['/organization/verify', {}],
        ['/organization/history', { page_size: 1000 }],
        ['/groups/list?as_of=r3000', {}],
      ];
      const statuses = new Map<number, number>();
      await Promise.all(
        Array.from({ length: 200 }, async (_, nth) => {
          const [path, body] = questions[nth % questions.length]!;
          const { status, err } = await org.admin.post(path, body);
          count(statuses, status);
          if (!EXPECTED.has(status)) breach(`${path} was answered ${status} ${err?.type}`);
        }),
      );
      if (!statuses.has(429)) breach('200 long questions of one caller at one time were answered');
      if (!statuses.has(200)) breach('no question was answered');
      return tally(statuses);
    },
  },
];

/** Copies of one folder into another and back, each twice as large as the one before. */
function* doublings(one: string, other: string): Generator<readonly [string, string]> {
  for (;;) {
    yield [one, other];
    yield [other, one];
  }
}

/** Makes so many events. */
async function fill({ admin }: Organization, events: number, text: string): Promise<void> {
  const AT_ONCE = 50;
  for (let made = 0; made < events; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, nth) =>
        admin.post('/organization/inbox', { payload: { text, nth: made + nth } }),
      ),
    );
}

function count(counts: Map<number, number>, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}

function tally(counts: ReadonlyMap<number, number>): string {
  return [...counts].map(([status, times]) => `${times} × ${status}`).join(', ');
}

/**
 * Attacks a service with small requests that want much, and measures what another organization feels of it.
 * @param only the name of one attack; absent: all
 */
export async function* hostile(only?: string): AsyncGenerator<Felt> {
  for (const attack of ATTACKS) if (!only || attack.name === only) yield await feel(attack);
}

async function feel({ name, env, run }: Attack): Promise<Felt> {
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  const service = await ServiceProcess.start('api', { DATA_DIR: folder, ...env });
  const breaches: string[] = [];
  const breach = (what: string): void => void breaches.push(`${name}: ${what}`);
  try {
    const attacked = await organization(service.url, 'Attacked');
    const bystander = await organization(service.url, 'Bystander');
    const { data } = await bystander.admin.post('/groups/create', { name: 'Mine' });
    const over = new AbortController();
    const gets = timed(over.signal, breach, async () => {
      return (await bystander.admin.get(`/groups/get/${data.id}`)).status;
    });
    const looks = timed(
      over.signal,
      breach,
      async () => (await fetch(`${service.url}/health`)).status,
    );
    const begun = performance.now();
    const outcome = await run(attacked, breach);
    const seconds = (performance.now() - begun) / 1000;
    over.abort();
    const [get_ms, health_ms] = [await gets, await looks];
    const memory = memoryOf(service.pid);
    const felt = {
      get_p50_ms: percentile(get_ms, 0.5),
      get_p99_ms: percentile(get_ms, 0.99),
      health_p99_ms: percentile(health_ms, 0.99),
    };
    if (memory > MOST_MEMORY) breach(`took ${Math.round(memory / 1e6)} MB of memory`);
    for (const wait of [felt.get_p99_ms, felt.health_p99_ms])
      if (wait > MOST_WAIT_MS) breach(`others waited for ${Math.round(wait)} ms`);
    const ended = await service.kill('SIGTERM');
    if (ended.code !== 0) breach(`the service ended with ${ended.code ?? ended.signal}`);
    return { attack: name, outcome, seconds, memory, ...felt, breaches };
  } finally {
    await service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

async function organization(url: string, org_name: string): Promise<Organization> {
  const { data } = await new Client(url).post('/v1/factory/quickstart', { org_name });
  return organizationOf(url, data);
}

/** Asks again and again until it is over: how long each answer took, ms. */
async function timed(
  over: AbortSignal,
  breach: (what: string) => void,
  ask: () => Promise<number>,
): Promise<number[]> {
  const taken_ms: number[] = [];
  while (!over.aborted) {
    const begun = performance.now();
    const status = await ask().catch((error: unknown) => String(error));
    taken_ms.push(performance.now() - begun);
    if (status !== 200) {
      breach(`a bystander was answered ${status}`);
      break;
    }
    await after(PAUSE_MS);
  }
  return taken_ms;
}

/** Most memory that a process has had so far, bytes. */
function memoryOf(pid: number): number {
  try {
    const [, kib] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return Number(kib) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** A line about an attack. */
export function said(felt: Felt): string {
  const { attack, outcome, seconds, memory, get_p50_ms, get_p99_ms, health_p99_ms } = felt;
  const [p50, p99, health] = [get_p50_ms, get_p99_ms, health_p99_ms].map((ms) => ms.toFixed(1));
  const waits = `others' get p50 ${p50} ms, p99 ${p99} ms, /health p99 ${health} ms`;
  return `${attack}: ${outcome}; ${seconds.toFixed(1)} s, ${Math.round(memory / 1e6)} MB; ${waits}`;
}
