import { alternate, type Comparison, figuresOf, type Pace } from '../harness/alternate.js';
import { get, LoadClient, post, type Request } from '../harness/load.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';
import { startBareWith, withServers } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { groupId, type SeededPerson } from '../seed/plans.js';
import { manyGroupsOrder } from '../seed/orders.js';

const CONNECTIONS = 32;
/** Pages from which a list request is drawn. */
const PAGES = 200;

/** Pause between two writes beside reads, ms: about 100 writes a second. */
const WRITE_PAUSE_MS = 9;

/** Reads over HTTP: one group by its id, and pages of 50 of all groups; also beside writes to other groups. */
export const row: Row = {
  name: 'reads',
  async run(bench) {
    const order = manyGroupsOrder(bench);
    const seeded = await dataset(order, bench);
    const folder = await copyOf(seeded, bench);
    const below = `/v1/drive/${seeded.drive_id}/groups`;
    const random = new Random(1);
    const anyGet = ({ token }: SeededPerson): (() => Request) => {
      return () => get(`${below}/get/${groupId(random.below(order.groups))}`, token);
    };
    return withServers(bench, folder, CONNECTIONS, async (servers) => {
      const { service, bare, to_service, to_bare } = servers;
      const against = async (next: () => Request): Promise<Comparison> => {
        const sample = next();
        const answer = await to_service.ask(sample);
        await bare.answerWith(answer);
        return alternate(
          { child: service, client: to_service, next },
          { child: bare, client: to_bare, next: anyGet(seeded.owner) },
          pace(bench),
        );
      };
      /** What remains of the difference if the bare server sends the service's headers, too. */
      const againstSameHead = async (next: () => Request): Promise<Line> => {
        const same_head = await startBareWith(await headersOf(service.port, next()));
        await same_head.answerWith(await to_service.ask(next()));
        const client = await LoadClient.connect(same_head.port, CONNECTIONS);
        try {
          const compared = await alternate(
            { child: service, client: to_service, next },
            { child: same_head, client, next },
            pace(bench),
          );
          return line('the same, held against a bare GET with the same headers', compared, 0.8);
        } finally {
          client.close();
          await same_head.stop();
        }
      };
      /** The same comparison while groups of the drive change, as often during the bare server's rounds. */
      const besideWrites = async (next: () => Request): Promise<Comparison> => {
        const writer = await LoadClient.connect(service.port, 1);
        const ended = new AbortController();
        const update = (): Request => {
          const body = { id: groupId(random.below(order.groups)), public_note: random.text(20) };
          return post(`${below}/update`, JSON.stringify(body), seeded.owner.token);
        };
        const load = { next: update, pause_ms: WRITE_PAUSE_MS, until: ended.signal };
        const writing = writer.run({ ...load, duration_ms: 600_000 });
        const compared = await against(next);
        ended.abort();
        const { per_second } = await writing;
        writer.close();
        bench.progress(`${show(per_second)} writes/s meanwhile`);
        return compared;
      };
      const lines: Line[] = [];
      bench.progress('get by id');
      const by_id = await against(anyGet(seeded.owner));
      lines.push(line('get a group by its id, owner', by_id, 0.8));
      lines.push(await againstSameHead(anyGet(seeded.owner)));
      bench.progress('snapshot, tiles and index of the seeded events');
      await to_service.ask(
        post(
          `${below}/update`,
          JSON.stringify({ id: groupId(0), public_note: '' }),
          seeded.owner.token,
        ),
      );
      await service.idle();
      const changing = await besideWrites(anyGet(seeded.owner));
      lines.push(line('get a group by its id, owner, 100 writes/s beside it', changing, 0.7));
      for (const [who, person] of Object.entries({
        owner: seeded.owner,
        'a member who sees a tenth': seeded.member,
      })) {
        bench.progress(`list, ${who}`);
        const requests: Request[] = [];
        let cursor: string | null = null;
        do {
          const request = post(
            `${below}/list`,
            JSON.stringify({ page_size: 50, cursor }),
            person.token,
          );
          requests.push(request);
          const answer = JSON.parse(await to_service.ask(request)) as {
            ok: { data: { cursor: string | null } };
          };
          ({ cursor } = answer.ok.data);
        } while (cursor && requests.length < PAGES);
        const listed = await against(() => random.pick(requests));
        const what = `list 50 of ${show(order.groups)} groups, ${who}`;
        lines.push(line(what, listed, 0.7));
        const list_changing = await besideWrites(() => random.pick(requests));
        lines.push(line(`${what}, 100 writes/s beside it`, list_changing, 0.5));
      }
      return lines;
    });
  },
};

/** Headers that a bare server adds or changes itself. */
const OWN_HEADERS = ['connection', 'content-length', 'date', 'keep-alive'];

async function headersOf(port: number, request: Request): Promise<Record<string, string>> {
  const [, path, token] = /^GET (\S+) [^]*Bearer (\S+)/.exec(request)!;
  const url = `http://127.0.0.1:${port}${path}`;
  const { headers } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.includes(name)));
}

function pace({ is_quick }: Bench): Pace {
  return is_quick
    ? { rounds: 3, round_ms: 700, warm_up_ms: 4000, spins: true }
    : { rounds: 9, round_ms: 1500, warm_up_ms: 12_000, spins: true };
}

function line(what: string, comparison: Comparison, least_ratio: number): Line {
  const { tested, bare, ratio, above_us, above_cpu_us } = comparison;
  return {
    what: `${what}, ${CONNECTIONS} connections`,
    target: `≥ ${least_ratio} × the bare GET of the same bytes`,
    measured:
      `${ratio.toFixed(2)} ×, ${show(tested.per_second)}/s, p50 ${show(tested.p50_ms)} ms, ` +
      `p99 ${show(tested.p99_ms)} ms; ${show(above_us)} µs above (processor: ${show(above_cpu_us)} µs)`,
    reference: `bare GET ${show(bare.per_second)}/s, p99 ${show(bare.p99_ms)} ms (processor: ${show(bare.cpu_us)} µs)`,
    holds: ratio >= least_ratio,
    figures: figuresOf(comparison),
  };
}
