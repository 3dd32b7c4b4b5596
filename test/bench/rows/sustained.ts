import { Client } from '../../support/client.js';
import { get, LoadClient, post, type Request } from '../harness/load.js';
import { type Made, makeOrganizations } from '../harness/organizations.js';
import type { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';

const ORGANIZATIONS = 20;
const CONNECTIONS = 12;
/** Pause of every connection: about 700 requests a second in all. */
const PAUSE_MS = 16;
/** Requests of a cycle: of seven, two write. */
const WRITES = 2;
const CYCLE = 7;
/** One write of three makes a group, the others change one. */
const WRITES_PER_GROUP = 3;
/** Groups of every organization at the beginning. */
const FIRST_GROUPS = 50;
const MOST = { times: 1.2, p99_ms: 40 } as const;

/** An organization under load, with what requests need to know of it. */
class Busy {
  private readonly groups: string[] = [];
  private writes = 0;

  constructor(
    private readonly made: Made,
    private readonly random: Random,
    /** Revision before the load. */
    private readonly revision: number,
  ) {}

  write(): Request {
    this.writes++;
    const private_note = this.random.text(40);
    if (this.writes % WRITES_PER_GROUP > 0 && this.groups.length > CONNECTIONS)
      return this.post('groups/update', { id: this.group(), private_note });
    const id = `GroupID_${this.random.uuid()}`;
    this.groups.push(id);
    return this.post('groups/create', { id, name: this.random.text(12), private_note });
  }

  read(): Request {
    const page_size = 20;
    // A write has one event at least, and those of the other connections may be on their way.
    const writes = Math.max(0, this.writes - CONNECTIONS);
    const point = this.revision + this.random.below(writes + 1);
    const reads: readonly (() => Request)[] = [
      () => get(this.path(`groups/get/${this.group()}`), this.made.token),
      () => get(this.path(`groups/get/${this.group()}`), this.made.token),
      () => this.post('groups/list', { page_size }),
      () => this.post('groups/invites/list', { group_id: this.group(), page_size }),
      () => this.post('contacts/list', { page_size }),
      () => this.post('organization/search', { query: this.random.text(4).trim(), page_size }),
      () => this.post('organization/history', { page_size }),
      () => this.post('organization/history', { page_size, resource_id: this.group() }),
      () => this.post(`groups/list?as_of=r${point}`, { page_size }),
    ];
    return this.random.pick(reads)();
  }

  /** A group whose creation has been answered. */
  private group(): string {
    return this.groups[this.random.below(Math.max(1, this.groups.length - CONNECTIONS))]!;
  }

  private path(below: string): string {
    return `/v1/drive/${this.made.drive_id}/${below}`;
  }

  private post(below: string, body: object): Request {
    return post(this.path(below), JSON.stringify(body), this.made.token);
  }
}

/** Writes and reads of all kinds for ten minutes, while organizations grow. */
export const row: Row = {
  name: 'sustained',
  is_by_hand: true,
  async run(bench) {
    const minutes = bench.is_quick ? 3 : 10;
    const duration_ms = bench.is_quick ? 15_000 : 60_000;
    const random = new Random(9);
    const service = await startService(bench, await bench.folder());
    const client = await LoadClient.connect(service.port, CONNECTIONS);
    try {
      const made = await makeOrganizations(service, ORGANIZATIONS);
      const all = await Promise.all(
        made.map(async (one) => new Busy(one, random, await revisionOf(service, one))),
      );
      // One connection: these creations are answered before the load begins.
      for (let nth = 0; nth < FIRST_GROUPS; nth++)
        for (const busy of all) await client.ask(busy.write());
      let nth = 0;
      const next = (): Request => {
        const busy = random.pick(all);
        return nth++ % CYCLE < WRITES ? busy.write() : busy.read();
      };
      await client.run({ duration_ms: duration_ms / 2, next, pause_ms: PAUSE_MS });
      const by_minute = [];
      for (let minute = 1; minute <= minutes; minute++) {
        const taken = await client.run({ duration_ms, next, pause_ms: PAUSE_MS });
        bench.progress(
          `minute ${minute}: ${show(taken.per_second)}/s, p50 ${show(taken.p50_ms)} ms, ` +
            `p99 ${show(taken.p99_ms)} ms, ${show(service.memory() / 2 ** 20)} MiB`,
        );
        by_minute.push(taken);
      }
      const [first, last] = [by_minute[0]!, by_minute.at(-1)!];
      const times = last.p99_ms / first.p99_ms;
      return [
        {
          what: `${(minutes * duration_ms) / 60_000} minutes of writes and reads on ${ORGANIZATIONS} organizations, ${CONNECTIONS} connections`,
          target: `p99 of the last minute ≤ ${MOST.times} × the first, ≤ ${MOST.p99_ms} ms`,
          measured:
            `p99 ${show(first.p99_ms)} → ${show(last.p99_ms)} ms (${times.toFixed(2)} ×), ` +
            `p50 ${show(first.p50_ms)} → ${show(last.p50_ms)} ms`,
          reference: `${show(last.per_second)} requests/s, of them ${WRITES} of ${CYCLE} writes`,
          holds: times <= MOST.times && last.p99_ms <= MOST.p99_ms,
          figures: { first_p99_ms: first.p99_ms, last_p99_ms: last.p99_ms, p50_ms: last.p50_ms },
        },
      ];
    } finally {
      client.close();
      await service.stop();
    }
  },
};

async function revisionOf({ port }: Child, { drive_id, token }: Made): Promise<number> {
  const admin = new Client(`http://127.0.0.1:${port}/v1/drive/${drive_id}`, token);
  const { headers } = await admin.get('/organization/whoami');
  return Number(headers.get('Drive-Revision'));
}
