import { get, LoadClient, post, type Request } from '../harness/load.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { crowdOrder } from '../seed/orders.js';
import { groupId } from '../seed/plans.js';

/** Reads before those that count: the first of a kind find nothing compiled and nothing indexed. */
const WARM_UP = 30;
/** Events of a page. */
const PAGE = 20;
/** Limits of a read just after a write, at any size. */
const MOST = { p50_ms: 5, p99_ms: 15, times: 1.5 } as const;

interface Taken {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/**
 * Reads just after a write, timed on the server, in organizations of growing size. The member is in all groups, so
 * every answer about the member or about memberships has as much to find as there is.
 */
export const row: Row = {
  name: 'growth',
  async run(bench) {
    const sizes = bench.is_quick ? [300, 3_000] : [300, 3_000, 30_000];
    const by_size: Map<string, Taken>[] = [];
    for (const groups of sizes) by_size.push(await measured(bench, groups));
    const lines: Line[] = [];
    for (const what of by_size[0]!.keys()) {
      const all = by_size.map((taken) => taken.get(what)!);
      const [first, last] = [all[0]!, all.at(-1)!];
      const times = last.p50_ms / first.p50_ms;
      lines.push({
        what: `${what}, just after a write, ${sizes.map((groups) => show(3 * groups)).join(' / ')} records`,
        target: `p50 ≤ ${MOST.p50_ms} ms, p99 ≤ ${MOST.p99_ms} ms, ≤ ${MOST.times} × the first`,
        measured: `p50 ${all.map(({ p50_ms }) => show(p50_ms)).join(' / ')} ms (${times.toFixed(1)} ×), p99 ${all
          .map(({ p99_ms }) => show(p99_ms))
          .join(' / ')} ms`,
        reference: '',
        holds: last.p50_ms <= MOST.p50_ms && last.p99_ms <= MOST.p99_ms && times <= MOST.times,
        figures: { p50_ms: last.p50_ms, p99_ms: last.p99_ms, times },
      });
    }
    return lines;
  },
};

async function measured(bench: Bench, groups: number): Promise<Map<string, Taken>> {
  const seeded = await dataset(crowdOrder(groups), bench);
  const { drive_id, owner, member } = seeded;
  const service = await startService(bench, await copyOf(seeded, bench));
  const client = await LoadClient.connect(service.port, 1);
  const random = new Random(5);
  const below = `/v1/drive/${drive_id}`;
  const ask = (path: string, body: object, who = owner): Request =>
    post(`${below}${path}`, JSON.stringify(body), who.token);
  const any = (): string => groupId(random.below(groups));
  // Three characters of a name, which a third of the groups contain.
  const word = (): string => random.text(4).slice(0, 3).trim();
  let writes = 0;
  const write = (): Request =>
    ask('/groups/update', { id: any(), private_note: `note ${writes++}` });
  const page_size = PAGE;
  let head = 0;
  const reads: Record<string, () => Request> = {
    'get a group': () => get(`${below}/groups/get/${any()}`, owner.token),
    'get a group, member': () => get(`${below}/groups/get/${any()}`, member.token),
    'list of groups': () => ask('/groups/list', { page_size }),
    'list of groups, member': () => ask('/groups/list', { page_size }, member),
    'list of invites of a group': () => ask('/groups/invites/list', { group_id: any() }),
    'list of contacts': () => ask('/contacts/list', { page_size }),
    'list of contacts, member': () => ask('/contacts/list', { page_size }, member),
    'get a contact in all groups': () =>
      get(`${below}/contacts/get/${member.user_id}`, owner.token),
    whoami: () => get(`${below}/organization/whoami`, member.token),
    search: () => ask('/organization/search', { query: 'note', page_size }),
    'search, a third of the groups found': () =>
      ask('/organization/search', { query: word(), page_size }),
    'list of groups with a filter': () => ask('/groups/list', { filters: word(), page_size }),
    'list of groups with a filter, member': () =>
      ask('/groups/list', { filters: word(), page_size }, member),
    'check of a permission': () =>
      ask('/permissions/system/check', { resource_id: any(), grantee_id: member.user_id }),
    history: () => ask('/organization/history', { page_size }),
    'history of a group': () => ask('/organization/history', { page_size, resource_id: any() }),
    timeline: () => ask('/organization/timeline', {}),
    'list of groups as of 10 events ago': () =>
      ask(`/groups/list?as_of=r${head - 10}`, { page_size }),
    'compare with 10 events ago': () =>
      ask('/organization/compare', { from: { revision: head - 10 }, page_size }),
    'why a person may read a group': () =>
      ask('/organization/explain', { grantee_id: member.user_id, resource_id: any() }),
    'who may read a group': () => ask('/organization/who', { resource_id: any(), page_size }),
    'what a person may read': () =>
      ask('/organization/reach', { grantee_id: member.user_id, page_size }),
    'each record that the owner may read': () =>
      ask('/organization/reach', { grantee_id: owner.user_id, collapse: false, page_size }),
  };
  const found = new Map<string, Taken>();
  try {
    for (const [what, next] of Object.entries(reads)) {
      bench.progress(`${what}, ${show(3 * groups)} records`);
      const times = bench.is_quick ? 50 : 200;
      const served: number[] = [];
      for (let at = -WARM_UP; at < times; at++) {
        const { ok } = JSON.parse(await client.ask(write())) as { ok: { data: unknown } };
        if (!ok) throw new Error('the write failed');
        head = seeded.events + writes - 1;
        await service.times();
        const answer = await client.ask(next());
        if (!answer.startsWith('{"ok"')) throw new Error(`${what}: ${answer.slice(0, 300)}`);
        if (at >= 0) served.push(...(await service.times()));
      }
      found.set(what, { p50_ms: percentile(served, 0.5), p99_ms: percentile(served, 0.99) });
    }
  } finally {
    client.close();
    await service.stop();
  }
  return found;
}
