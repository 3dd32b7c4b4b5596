import { crowd } from '../growth/crowd.js';
import { families } from '../growth/families.js';
import { type GrowingOrganization, type Taken, timed } from '../growth/reads.js';
import { show } from '../harness/report.js';
import type { Bench, Line, Row } from '../harness/row.js';

/** Limits of a read just after a write, at any size. */
const MOST = { p50_ms: 5, p99_ms: 15, times: 1.5 } as const;

/** Reads just after a write, timed on the server, in organizations of growing size: every read of the interface. */
export const row: Row = {
  name: 'growth',
  async run(bench) {
    const sizes = bench.is_quick ? [300, 3_000] : [300, 3_000, 30_000];
    return [
      ...(await grown(bench, sizes, crowd)),
      ...(await grown(
        bench,
        sizes.map((size) => size / 3),
        families,
      )),
    ];
  },
};

async function grown(
  bench: Bench,
  sizes: readonly number[],
  start: (bench: Bench, size: number) => Promise<GrowingOrganization>,
): Promise<Line[]> {
  const by_size: ReadonlyMap<string, Taken>[] = [];
  const records: string[] = [];
  for (const size of sizes) {
    const organization = await start(bench, size);
    records.push(show(organization.records));
    by_size.push(await timed(bench, organization));
  }
  return [...by_size[0]!.keys()].map((what) => {
    const all = by_size.map((taken) => taken.get(what)!);
    const [first, last] = [all[0]!, all.at(-1)!];
    const shown = (part: 'p50_ms' | 'p99_ms'): string =>
      all.map((one) => show(one[part])).join(' / ');
    const more = last.shown && first.shown ? last.shown / first.shown : undefined;
    const times = last.p50_ms / first.p50_ms / (more ?? 1);
    const of = more ? ' for each record shown' : '';
    const bounds = more ? '' : `p50 ≤ ${MOST.p50_ms} ms, p99 ≤ ${MOST.p99_ms} ms, `;
    const is_short = last.p50_ms <= MOST.p50_ms && last.p99_ms <= MOST.p99_ms;
    return {
      what: `${what}, just after a write, ${records.join(' / ')} records`,
      target: `${bounds}≤ ${MOST.times} × the first${of}`,
      measured: `p50 ${shown('p50_ms')} ms (${times.toFixed(1)} ×), p99 ${shown('p99_ms')} ms`,
      reference: '',
      holds: (more !== undefined || is_short) && times <= MOST.times,
      figures: { p50_ms: last.p50_ms, p99_ms: last.p99_ms, times },
    };
  });
}
