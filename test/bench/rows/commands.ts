import { alternate, type Comparison, figuresOf, type Pace } from '../harness/alternate.js';
import { LoadClient, post, type Request } from '../harness/load.js';
import { makeOrganizations, type Made } from '../harness/organizations.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';
import { startBare, withServers } from '../harness/servers.js';

const CONNECTIONS = 64;

/** Durable commands over HTTP: a group with all eight fields of its body, made on one drive and on many. */
export const row: Row = {
  name: 'commands',
  async run(bench) {
    const one = await measure(bench, 1);
    const many = await measure(bench, 100);
    return [
      line('durable command, one drive', one, 45, 15),
      line('durable command, 100 drives', many, 80, null),
      appendLine('one stream', await measureAppends(bench, 1)),
      appendLine('100 streams', await measureAppends(bench, 100)),
    ];
  },
};

async function measure(bench: Bench, drives: number): Promise<Comparison> {
  const folder = await bench.folder();
  return withServers(bench, folder, CONNECTIONS, async ({ service, bare, to_service, to_bare }) => {
    bench.progress(`commands on ${drives} drives`);
    const organizations = await makeOrganizations(service, drives);
    return alternate(
      { child: service, client: to_service, next: creations(organizations) },
      { child: bare, client: to_bare, next: creations(organizations) },
      paceOf(bench),
    );
  });
}

/** The bare server that appends an event for each POST, against one that does not. */
async function measureAppends(bench: Bench, streams: number): Promise<Comparison> {
  const made = Array.from({ length: streams }, (_, nth) => ({
    drive_id: `DriveID_${nth}`,
    token: 'none',
  }));
  const appending = await startBare(await bench.folder());
  const bare = await startBare();
  const clients = await Promise.all(
    [appending, bare].map(({ port }) => LoadClient.connect(port, CONNECTIONS)),
  );
  try {
    bench.progress(`appends to ${streams} streams`);
    return await alternate(
      { child: appending, client: clients[0]!, next: creations(made) },
      { child: bare, client: clients[1]!, next: creations(made) },
      paceOf(bench),
    );
  } finally {
    for (const client of clients) client.close();
    await Promise.all([appending.stop(), bare.stop()]);
  }
}

function paceOf({ is_quick }: Bench): Pace {
  return is_quick
    ? { rounds: 3, round_ms: 1000, warm_up_ms: 1500 }
    : { rounds: 9, round_ms: 2000, warm_up_ms: 10_000 };
}

/** Requests that make one group after another, each in the next organization. */
function creations(organizations: readonly Pick<Made, 'drive_id' | 'token'>[]): () => Request {
  const random = new Random(organizations.length);
  let made = 0;
  return () => {
    const { drive_id, token } = organizations[made % organizations.length]!;
    made++;
    const body = {
      id: `GroupID_${random.uuid()}`,
      name: `Group ${made}`,
      avatar: 'https://example.org/avatars/1.png',
      public_note: 'A group like many others, made to find out how long it takes.',
      private_note: 'Nobody reads this.',
      host_url: 'https://example.org',
      external_id: `crm-${made}`,
      external_payload: '{"source":"bench"}',
    };
    return post(`/v1/drive/${drive_id}/groups/create`, JSON.stringify(body), token);
  };
}

function line(
  what: string,
  comparison: Comparison,
  most_above_us: number,
  most_p99_ms: number | null,
): Line {
  const { tested, bare, above_us } = comparison;
  const p99 = most_p99_ms === null ? '' : `, p99 ≤ ${most_p99_ms} ms`;
  return {
    what: `${what}, ${CONNECTIONS} connections`,
    target: `≤ ${most_above_us} µs above the bare POST${p99}`,
    measured: measuredOf(comparison),
    reference: `bare POST ${show(bare.us)} µs (processor: ${show(bare.cpu_us)} µs), ${show(bare.per_second)}/s, p99 ${show(bare.p99_ms)} ms`,
    holds: above_us <= most_above_us && (most_p99_ms === null || tested.p99_ms <= most_p99_ms),
    figures: figuresOf(comparison),
  };
}

/** What the event store alone adds: no command costs less. */
function appendLine(streams: string, comparison: Comparison): Line {
  return {
    what: `bare POST with a durable append of an event as long, ${streams}, ${CONNECTIONS} connections`,
    target: '–',
    measured: measuredOf(comparison),
    reference: '',
    holds: null,
    figures: figuresOf(comparison),
  };
}

function measuredOf({ tested, above_us, above_cpu_us }: Comparison): string {
  const { per_second, p50_ms, p99_ms } = tested;
  return (
    `${show(above_us)} µs above (processor: ${show(above_cpu_us)} µs), ` +
    `${show(per_second)}/s, p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms`
  );
}
