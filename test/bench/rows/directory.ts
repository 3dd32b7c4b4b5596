import { emptyState, foldOnto } from '../../../libs/engine/fold/fold.js';
import { openDrives } from '../harness/engine.js';
import { type FileSearches, type Searched, searchForFiles } from '../harness/file-searches.js';
import { askAllIndexes, held } from '../harness/held.js';
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

/** Requests before those that count: the first of a kind find nothing compiled. */
const WARM_UP = 300;

interface Input extends FileSearches {
  readonly folder: string;
}

interface Result {
  readonly bytes_per_record: number;
  readonly records: number;
  readonly searches: Readonly<Record<string, Searched>>;
}

/**
 * Reads and a move in a disk of many files, asked over HTTP by one connection and timed on the server;
 * search and memory in the process.
 */
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
      for (let at = -WARM_UP; at < times; at++) {
        const request = next();
        if (at === 0) await service.times();
        const started = performance.now();
        await client.ask(request);
        if (at >= 0) taken.push(performance.now() - started);
      }
      const served = await service.times();
      const [p50_ms, p99_ms] = [percentile(served, 0.5), percentile(served, 0.99)];
      const [client_p50_ms, client_p99_ms] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      lines.push({
        what: `${what}, ${of}, on the server`,
        target: `≤ ${most_ms} ms`,
        measured: `p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms`,
        reference: `to the client p50 ${show(client_p50_ms)} ms, p99 ${show(client_p99_ms)} ms`,
        holds: p99_ms <= most_ms,
        figures: { p50_ms, p99_ms, client_p50_ms, client_p99_ms },
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
    for (const [who, { taken }] of Object.entries(found.searches)) {
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

export async function inside({ folder, ...asked }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const before = held();
  const folded = emptyState(asked.drive_id);
  await foldOnto(folded, stores.events, { to: Infinity });
  askAllIndexes(folded.state);
  const records = folded.state.tables.reduce((sum, { size }) => sum + size, 0);
  const bytes_per_record = (held() - before) / records;
  const drives = openDrives(stores);
  const searches = await searchForFiles(drives, asked);
  await drives.close();
  await stores.close();
  return { bytes_per_record, records, searches };
}
