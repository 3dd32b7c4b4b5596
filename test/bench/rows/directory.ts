import type { IQueryHandler } from '@nestjs/cqrs';
import { Search, searchHandlers } from '../../../libs/application/search/search.js';
import type { Outcome } from '../../../libs/engine/call.js';
import type { Drives } from '../../../libs/engine/drives.js';
import { emptyState, foldOnto } from '../../../libs/engine/fold.js';
import { dataOf, openDrives } from '../harness/engine.js';
import { LoadClient, post, type Request } from '../harness/load.js';
import { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { treeOrder } from '../seed/orders.js';
import type { SeededPerson } from '../seed/plans.js';
import { fileId, folderId, TOP_FOLDERS } from '../seed/tree.js';

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly digests: Readonly<Record<string, string>>;
  readonly searches: number;
  readonly files: number;
}

interface Result {
  readonly bytes_per_record: number;
  readonly records: number;
  /** Milliseconds by who searched. */
  readonly searches: Readonly<Record<string, readonly number[]>>;
}

/** Reads and a move in a disk of many files, over HTTP; search and memory in the process. */
export const row: Row = {
  name: 'directory',
  async run(bench): Promise<readonly Line[]> {
    const order = treeOrder(bench);
    const { files, folders } = order;
    const seeded = await dataset(order, bench);
    const folder = await copyOf(seeded, bench);
    const { drive_id, owner, member } = seeded;
    const of = `${show(files)} files in ${show(folders)} folders`;
    const service = await startService(bench, folder);
    const client = await LoadClient.connect(service.port, 1);
    const lines: Line[] = [];
    const measure = async (
      what: string,
      most_ms: number,
      times: number,
      next: () => Request,
    ): Promise<void> => {
      bench.progress(what);
      const taken: number[] = [];
      for (let at = -20; at < times; at++) {
        const request = next();
        const started = performance.now();
        await client.ask(request);
        if (at >= 0) taken.push(performance.now() - started);
      }
      const [p50_ms, p99_ms] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      lines.push({
        what: `${what}, ${of}, over HTTP, 1 connection`,
        target: `≤ ${most_ms} ms`,
        measured: `p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms`,
        reference: '',
        holds: p99_ms <= most_ms,
        figures: { p50_ms, p99_ms },
      });
    };
    try {
      const random = new Random(7);
      const at = (path: string, body: object, { token }: SeededPerson): Request =>
        post(`/v1/drive/${drive_id}${path}`, JSON.stringify(body), token);
      const action = (name: string, payload: object, who: SeededPerson): Request =>
        at('/directory/action', { actions: [{ action: name, payload }] }, who);
      const times = bench.is_quick ? 200 : 1000;
      await measure('list of any folder, owner', 5, times, () =>
        at('/directory/list', { folder_id: folderId(random.below(folders)) }, owner),
      );
      await measure('list of any folder below a grant, member', 5, times, () => {
        const n = random.below(folders / TOP_FOLDERS) * TOP_FOLDERS;
        return at('/directory/list', { folder_id: folderId(n) }, member);
      });
      // The last level is below the twelfth folder of a top folder.
      const deepest = fileId(11 * TOP_FOLDERS);
      await measure('deepest file with its breadcrumbs, member', 5, times, () =>
        action('GET_FILE', { id: deepest }, member),
      );
      await measure('permission check of the deepest file', 5, times, () =>
        at(
          '/permissions/directory/check',
          { resource_id: deepest, grantee_id: member.user_id },
          owner,
        ),
      );
      let moves = 0;
      await measure('move of a folder with a tenth of everything', 50, times / 10, () => {
        const to = moves++ % 2 === 0 ? folderId(1) : folderId(2);
        return action('MOVE_FOLDER', { id: folderId(0), destination_folder_id: to }, owner);
      });
    } finally {
      client.close();
      await service.stop();
    }
    const digests = { owner: owner.digest, 'member who sees a tenth': member.digest };
    const input: Input = {
      folder: await copyOf(seeded, bench),
      drive_id,
      digests,
      searches: bench.is_quick ? 200 : 1000,
      files,
    };
    bench.progress('in the process');
    const found = await Child.inside<Result>('rows/directory', input, bench);
    for (const [who, taken] of Object.entries(found.searches)) {
      const [p50_ms, p99_ms] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      lines.push({
        what: `search for files, ${who}, ${of}, in the process`,
        target: 'p99 ≤ 10 ms',
        measured: `p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms`,
        reference: '',
        holds: p99_ms <= 10,
        figures: { p50_ms, p99_ms },
      });
    }
    lines.push({
      what: `memory of the state, ${of}`,
      target: '≤ 1 024 B a record',
      measured: `${show(found.bytes_per_record)} B a record`,
      reference: '',
      holds: found.bytes_per_record <= 1024,
      figures: { bytes: found.bytes_per_record, records: found.records },
    });
    return lines;
  },
};

export async function inside({
  folder,
  drive_id,
  digests,
  searches,
  files,
}: Input): Promise<Result> {
  const stores = openFolder(folder);
  const before = held();
  const folded = emptyState(drive_id);
  await foldOnto(folded, stores.events, { to: Infinity });
  const records = folded.state.tables.reduce((sum, { size }) => sum + size, 0);
  const bytes_per_record = (held() - before) / records;
  const drives = openDrives(stores);
  const handler = new (searchHandlers[0] as unknown as new (drives: Drives) => IQueryHandler)(
    drives,
  ) as unknown as { execute(query: Search): Promise<Outcome<unknown>> };
  const random = new Random(3);
  const taken: Record<string, number[]> = {};
  const asked = {
    page_size: 50,
    direction: 'ASC',
    categories: ['FILES'],
    sort_by: 'UPDATED_AT',
  } as const;
  for (const [who, digest] of Object.entries(digests)) {
    const reader = { drive_id, credential: { kind: 'api_key', digest } } as const;
    taken[who] = [];
    let found = 0;
    for (let at = -10; at < searches; at++) {
      const query = random.below(2) === 0 ? random.text(9).slice(0, 6) : `${random.below(files)}.p`;
      const started = performance.now();
      const answer = dataOf(await handler.execute(new Search(reader, { ...asked, query })));
      found += (answer as { total: number }).total;
      if (at >= 0) taken[who].push(performance.now() - started);
    }
    if (found === 0) throw new Error('no search found anything');
  }
  await drives.close();
  await stores.close();
  return { bytes_per_record, records, searches: taken };
}

/** Bytes in use after a full collection. */
function held(): number {
  globalThis.gc!();
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
