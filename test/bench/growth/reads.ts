import type { Child } from '../harness/process.js';
import type { LoadClient, Request } from '../harness/load.js';
import { show } from '../harness/report.js';
import type { Bench } from '../harness/row.js';
import { percentile } from '../harness/statistics.js';

/** Reads before those that count: the first of a kind find nothing compiled and nothing indexed. */
const WARM_UP = 30;

/** A read of the interface. */
export interface GrowthRead {
  /** As in `DRIVE_OPERATIONS` of the client, with dots; of `directory.action` also the action. */
  readonly operation: string;
  /** Records shown, if the answer has no pages: it may grow with them. */
  readonly shown?: number;
  /** @param head revision of the last write */
  readonly next: (head: number) => Request;
}

/** An organization of some size under measurement. */
export interface GrowingOrganization {
  readonly service: Child;
  readonly client: LoadClient;
  /** By what the row says of them. */
  readonly reads: Readonly<Record<string, GrowthRead>>;
  /** Changes a record; each has one event. */
  readonly write: () => Request;
  /** Revision after the last write. */
  head: number;
  /** Records that the reads may have to do with. */
  readonly records: number;
}

export interface Taken {
  /** Records shown, of an answer without pages. */
  readonly shown: number | undefined;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Times each read on the server, just after a write; ends the service. */
export async function timed(
  bench: Bench,
  organization: GrowingOrganization,
): Promise<Map<string, Taken>> {
  const { service, client, reads, write, records } = organization;
  const found = new Map<string, Taken>();
  const times = bench.is_quick ? 50 : 200;
  try {
    for (const [what, { next, shown }] of Object.entries(reads)) {
      bench.progress(`${what}, ${show(records)} records`);
      const served: number[] = [];
      for (let at = -WARM_UP; at < times; at++) {
        expectSuccess('the write', await client.ask(write()));
        organization.head++;
        await service.times();
        expectSuccess(what, await client.ask(next(organization.head)));
        if (at >= 0) served.push(...(await service.times()));
      }
      found.set(what, {
        shown,
        p50_ms: percentile(served, 0.5),
        p99_ms: percentile(served, 0.99),
      });
    }
  } finally {
    client.close();
    await service.stop();
  }
  return found;
}

function expectSuccess(what: string, answer: string): void {
  if (!/^(?:\{"ok"|\[\{|\{"[a-z_]+":(?!\{"code"))/.test(answer) || answer.startsWith('{"err"'))
    throw new Error(`${what}: ${answer.slice(0, 300)}`);
}
