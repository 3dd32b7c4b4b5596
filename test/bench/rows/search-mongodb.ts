import { MongoServerError } from 'mongodb';
import { READ_SCHEMA } from '../../../libs/application/read-schema.js';
import { openMongo } from '../../../libs/mongodb/client.js';
import { MongoReadModel } from '../../../libs/read-model/mongodb/mongo-read-model.js';
import type { ReadModel } from '../../../libs/read-model/port.js';
import { startMongo } from '../../servers/mongodb/server.js';
import { openDrives } from '../harness/engine.js';
import { type FileSearches, type Searched, searchForFiles } from '../harness/file-searches.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { percentile } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { smallTreeOrder, treeOrder } from '../seed/orders.js';

/** Longest time for the searches of one person. */
const MOST_MS = 120_000;

interface Input extends FileSearches {
  readonly folder: string;
  /** Where the documents are; without it in the process. */
  readonly mongodb?: { readonly url: string; readonly database: string };
}

interface Result {
  /** Until the drive was folded and its documents were written, ms. */
  readonly opened_ms: number;
  readonly searches: Readonly<Record<string, Searched>>;
}

/**
 * Searches for files in MongoDB (that of `MONGODB_URL`, else the tests' own server and fewer files), and the
 * same in the embedded read model.
 */
export const row: Row = {
  name: 'search-mongodb',
  is_by_hand: true,
  async run(bench): Promise<readonly Line[]> {
    const order = process.env['MONGODB_URL'] ? treeOrder(bench) : smallTreeOrder();
    const { files, folders } = order;
    const seeded = await dataset(order, bench);
    const { drive_id, owner, member } = seeded;
    const input: Input = {
      folder: await copyOf(seeded, bench),
      drive_id,
      digests: { owner: owner.digest, 'member who sees a tenth': member.digest },
      searches: bench.is_quick ? 200 : 500,
      files,
      most_ms: MOST_MS,
    };
    const server = await startMongo();
    try {
      const embedded = await Child.inside<Result>('rows/search-mongodb', input, bench);
      const mongodb = { url: server.url, database: server.freshDatabase() };
      bench.progress('documents are written');
      const found = await Child.inside<Result>('rows/search-mongodb', { ...input, mongodb }, bench);
      const of = `${show(files)} files in ${show(folders)} folders`;
      return Object.entries(found.searches).map(([who, { taken, given_up }]) => {
        const beside = embedded.searches[who]!.taken;
        const [p50_ms, p99_ms] = [percentile(taken, 0.5), percentile(taken, 0.99)];
        const figures = { p50_ms, p99_ms, times: taken.length, given_up };
        return {
          what: `search for files in MongoDB, ${who}, ${of}, in the process`,
          target: '',
          measured: `${said(taken)} (${taken.length} times), ${given_up} given up for their length`,
          reference: `embedded ${said(beside)}`,
          holds: null,
          figures: { ...figures, opened_ms: found.opened_ms },
        };
      });
    } finally {
      await server.stop();
    }
  },
};

/** Stands for the master key. */
const SECRET = new Uint8Array(32);

const said = (taken: readonly number[]): string =>
  `p50 ${show(percentile(taken, 0.5))} ms, p99 ${show(percentile(taken, 0.99))} ms`;

export async function inside(
  { folder, mongodb, ...asked }: Input,
  progress: (text: string) => void,
): Promise<Result> {
  if (!mongodb) return ask(folder, asked, progress);
  const connection = await openMongo(mongodb.url, mongodb.database);
  try {
    return await ask(
      folder,
      asked,
      progress,
      await MongoReadModel.open(connection.db, READ_SCHEMA, { secret: SECRET }),
    );
  } finally {
    await connection.close();
  }
}

async function ask(
  folder: string,
  asked: FileSearches,
  progress: (text: string) => void,
  read_model?: ReadModel,
): Promise<Result> {
  const stores = openFolder(folder);
  const drives = openDrives(stores, { read_model });
  const begun = performance.now();
  await drives.open(asked.drive_id);
  const opened_ms = performance.now() - begun;
  progress(`opened in ${show(opened_ms)} ms`);
  const searches = await searchForFiles(drives, asked, isGivenUp);
  await drives.close();
  await stores.close();
  return { opened_ms, searches };
}

/** The server worked at one query for longer than the read model lets it. */
function isGivenUp(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 50;
}
