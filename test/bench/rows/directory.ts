import { ListDirectory } from '../../../libs/application/directory/list.js';
import { directoryCommands } from '../../../libs/domain/directory/definitions.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { emptyState, foldOnto } from '../../../libs/engine/fold/fold.js';
import { dataOf, openDrives } from '../harness/engine.js';
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
import { describedTreeOrder, treeOrder } from '../seed/orders.js';
import type { SeededPerson } from '../seed/plans.js';
import { diskId, fileId, folderId, TOP_FOLDERS } from '../seed/tree.js';

/** Requests before those that count: the first of a kind find nothing compiled. */
const WARM_UP = 300;

/** A folder deep below a top folder, with many files. */
const DEEP = { levels: 100, files: 1000 } as const;

interface Input extends FileSearches {
  readonly folder: string;
  readonly is_described?: boolean;
}

/** A search of everything, and a list of a folder, after each creation of a file. */
interface AfterCreation {
  readonly searches: Readonly<Record<string, Searched>>;
  /** ms */
  readonly lists: readonly number[];
}

interface Result {
  readonly bytes_per_record: number;
  readonly records: number;
  readonly searches: Readonly<Record<string, Searched>>;
  readonly after_creation: Readonly<Record<string, Searched>>;
  /** ms */
  readonly deep_list: readonly number[];
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
    const inProcess = (what: string, taken: readonly number[], most_ms: number): void => {
      const [p50_ms, p99_ms] = [percentile(taken, 0.5), percentile(taken, 0.99)];
      lines.push({
        what: `${what}, in the process`,
        target: most_ms === Infinity ? '' : `p99 ≤ ${most_ms} ms`,
        measured: `p50 ${show(p50_ms)} ms, p99 ${show(p99_ms)} ms`,
        reference: '',
        holds: most_ms === Infinity ? null : p99_ms <= most_ms,
        figures: { p50_ms, p99_ms },
      });
    };
    for (const [who, { taken }] of Object.entries(found.searches))
      inProcess(`search for files, ${who}, ${of}`, taken, 10);
    for (const [who, { taken }] of Object.entries(found.after_creation))
      inProcess(`search for files just after one was created, ${who}, ${of}`, taken, Infinity);
    inProcess(
      `list of ${show(DEEP.files)} files in a folder ${DEEP.levels} deep just after one was created, owner`,
      found.deep_list,
      Infinity,
    );
    const described = await dataset(describedTreeOrder(bench), bench);
    bench.progress('in the process, all files with external ids and expiry times');
    const among = 'all with external ids and expiry times';
    const after = await Child.inside<AfterCreation>(
      'rows/directory',
      { ...input, folder: await copyOf(described, bench), is_described: true },
      bench,
    );
    for (const [who, { taken }] of Object.entries(after.searches))
      inProcess(
        `search of everything just after one was created, ${who}, ${of}, ${among}`,
        taken,
        10,
      );
    inProcess(
      `list of a folder just after one was created, owner, ${of}, ${among}`,
      after.lists,
      5,
    );
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
  is_described = false,
  ...asked
}: Input): Promise<Result | AfterCreation> {
  return is_described ? afterCreation(folder, asked) : ofTree(folder, asked);
}

async function afterCreation(folder: string, asked: FileSearches): Promise<AfterCreation> {
  const stores = openFolder(folder);
  const drives = openDrives(stores);
  const writer = itemWriter(drives, asked);
  const before = () => writer.file(folderId(1));
  const searches = await searchForFiles(drives, { ...asked, categories: ['ALL'], before });
  const lists = await listsAfterCreation(drives, asked, writer, folderId(1), 50);
  await drives.close();
  await stores.close();
  return { searches, lists };
}

async function ofTree(folder: string, asked: FileSearches): Promise<Result> {
  const stores = openFolder(folder);
  const before = held();
  const folded = emptyState(asked.drive_id);
  await foldOnto(folded, stores.events, { to: Infinity });
  askAllIndexes(folded.state);
  const records = folded.state.tables.reduce((sum, { size }) => sum + size, 0);
  const bytes_per_record = (held() - before) / records;
  const drives = openDrives(stores);
  const searches = await searchForFiles(drives, asked);
  const writer = itemWriter(drives, asked);
  const after_creation = await searchForFiles(drives, {
    ...asked,
    searches: asked.searches / 2,
    before: () => writer.file(folderId(1)),
  });
  const deep_list = await listsOfDeepFolder(drives, asked, writer);
  await drives.close();
  await stores.close();
  return { bytes_per_record, records, searches, after_creation, deep_list };
}

interface ItemWriter {
  /** Creates a file; resolves once it is stored. */
  file(parent: string): Promise<unknown>;
  /** Creates a folder and returns its id. */
  folder(parent: string): Promise<string>;
}

function itemWriter(drives: Drives, { drive_id, digests }: FileSearches): ItemWriter {
  const random = new Random(11);
  const call = {
    credential: { kind: 'api_key', digest: digests.owner! },
    correlation_id: 'bench',
    reason: null,
    idempotency: null,
  } as const;
  const place = (parent_folder_uuid: string) => ({
    name: random.text(12),
    parent_folder_uuid,
    disk_id: diskId(),
    file_conflict_resolution: 'KEEP_BOTH' as const,
  });
  return {
    async file(parent) {
      const id = `FileID_${random.uuid()}`;
      const version_id = `FileVersionID_${random.uuid()}`;
      const permission_id = `DirectoryPermissionID_${random.uuid()}`;
      const fresh = { id, version_id, permission_id };
      const command = { ...place(parent), file_size: 1, fresh } as const;
      dataOf(await drives.commands.run(drive_id, directoryCommands.CreateFile, command, call));
    },
    async folder(parent) {
      const id = `FolderID_${random.uuid()}`;
      const fresh = { id, permission_id: `DirectoryPermissionID_${random.uuid()}` };
      const command = { ...place(parent), fresh } as const;
      dataOf(await drives.commands.run(drive_id, directoryCommands.CreateFolder, command, call));
      return id;
    },
  };
}

/** Lists of a deep folder with many files. No text of an earlier list is valid. */
async function listsOfDeepFolder(
  drives: Drives,
  asked: FileSearches,
  writer: ItemWriter,
): Promise<number[]> {
  let folder_id = folderId(1);
  for (let level = 0; level < DEEP.levels; level++) folder_id = await writer.folder(folder_id);
  const files = Array.from({ length: DEEP.files }, () => folder_id);
  await Promise.all(files.map((parent) => writer.file(parent)));
  return listsAfterCreation(drives, asked, writer, folder_id, DEEP.files);
}

/** Milliseconds of each list; a file is created before each. */
async function listsAfterCreation(
  drives: Drives,
  { drive_id, digests, searches }: FileSearches,
  writer: ItemWriter,
  folder_id: string,
  page_size: number,
): Promise<number[]> {
  const reader = { drive_id, credential: { kind: 'api_key', digest: digests.owner! } } as const;
  const page = { page_size, direction: 'ASC', filters: '' } as const;
  const taken: number[] = [];
  for (let at = -10; at < searches / 4; at++) {
    await writer.file(folderId(1));
    const started = performance.now();
    const place = { folder_id } as const;
    dataOf(await ListDirectory.answer(drives, reader, { ...page, place }));
    if (at >= 0) taken.push(performance.now() - started);
  }
  return taken;
}
