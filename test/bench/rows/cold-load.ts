import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { get, LoadClient, post, type Request } from '../harness/load.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

const CONNECTIONS = 4;
const PAUSE_MS = 5;
const MOST_MS = 50;
const MOST_TIMES = 3;

/** What callers of another organization feel while a long one is loaded from its first event on, replayed, verified. */
export const row: Row = {
  name: 'cold-load',
  async run(bench): Promise<readonly Line[]> {
    const seeded = await dataset(longDriveOrder(bench), bench);
    const { drive_id, owner } = seeded;
    const folder = await copyOf(seeded, bench);
    // Without them everything is folded.
    await rm(join(folder, 'snapshots.db'), { force: true });
    const service = await startService(bench, folder);
    const [loader, live, health] = await Promise.all([
      LoadClient.connect(service.port, 1),
      LoadClient.connect(service.port, CONNECTIONS),
      LoadClient.connect(service.port, 1),
    ]);
    try {
      const made = JSON.parse(await loader.ask(post('/v1/factory/quickstart', '{}'))) as {
        ok: {
          data: {
            organization: { drive_id: string };
            admin: { user_id: string; api_key_value: string };
          };
        };
      };
      const { organization, admin } = made.ok.data;
      const other = `/v1/drive/${organization.drive_id}/contacts/get/${admin.user_id}`;
      const asks = { next: () => get(other, admin.api_key_value), pause_ms: PAUSE_MS };
      const looks = { next: () => get('/health'), pause_ms: PAUSE_MS };
      bench.progress('idle');
      const idle = await live.run({ ...asks, duration_ms: 3_000 });
      /** What callers feel while one request is answered, and how long that takes. */
      const beside = async (what: string, request: Request): Promise<readonly Line[]> => {
        bench.progress(what);
        await service.stretch();
        const over = new AbortController();
        const until = { duration_ms: 600_000, until: over.signal };
        const running = [live.run({ ...asks, ...until }), health.run({ ...looks, ...until })];
        const started = performance.now();
        const answer = JSON.parse(await loader.ask(request)) as { ok?: unknown };
        const seconds = (performance.now() - started) / 1000;
        over.abort();
        const [gets, healths] = await Promise.all(running);
        const { longest_ms, longest_cpu_ms } = await service.stretch();
        if (!answer.ok) throw new Error(`${what}: ${JSON.stringify(answer)}`);
        const most = (latencies: readonly number[]): number => Math.max(...latencies);
        return [
          {
            what: `get of another organization while ${what}`,
            target: `p99 ≤ ${MOST_TIMES} × idle`,
            measured: `${(gets!.p99_ms / idle.p99_ms).toFixed(1)} ×: p50 ${show(gets!.p50_ms)} ms, p99 ${show(gets!.p99_ms)} ms, longest ${show(most(gets!.latencies_ms))} ms`,
            reference: `idle p50 ${show(idle.p50_ms)} ms, p99 ${show(idle.p99_ms)} ms; it took ${show(seconds)} s`,
            holds: gets!.p99_ms <= MOST_TIMES * idle.p99_ms,
            figures: {
              ...{ p50_ms: gets!.p50_ms, p99_ms: gets!.p99_ms, idle_p99_ms: idle.p99_ms, seconds },
            },
          },
          {
            what: '/health meanwhile',
            target: `longest ≤ ${MOST_MS} ms`,
            measured: `p99 ${show(healths!.p99_ms)} ms, longest ${show(most(healths!.latencies_ms))} ms`,
            reference: '',
            holds: most(healths!.latencies_ms) <= MOST_MS,
            figures: { p99_ms: healths!.p99_ms, longest_ms: most(healths!.latencies_ms) },
          },
          {
            what: 'longest stretch without a turn of the event loop meanwhile, by work of its thread',
            target: `≤ ${MOST_MS} ms`,
            measured: `${show(longest_cpu_ms)} ms`,
            reference: `by the clock ${show(longest_ms)} ms`,
            holds: longest_cpu_ms <= MOST_MS,
            figures: { longest_cpu_ms, longest_ms },
          },
        ];
      };
      const events = show(seeded.events);
      const organization_of = `/v1/drive/${drive_id}/organization`;
      const asked = (path: string, body: object): Request =>
        post(`${organization_of}/${path}`, JSON.stringify(body), owner.token);
      const last = seeded.events - 2;
      return [
        ...(await beside(
          `${events} events are loaded cold`,
          get(`${organization_of}/whoami`, owner.token),
        )),
        ...(await beside('they are replayed', asked('replay', { revision: last }))),
        ...(await beside(
          'they are replayed and verified',
          asked('replay', { revision: last, verify: true }),
        )),
        ...(await beside('the organization is verified', asked('verify', {}))),
      ];
    } finally {
      for (const client of [loader, live, health]) client.close();
      await service.stop();
    }
  },
};
