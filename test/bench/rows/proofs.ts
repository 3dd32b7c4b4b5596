import type { DeclaredQuery } from '../../../libs/application/drive-query.js';
import { ProveEvent } from '../../../libs/application/proofs/log-answers.js';
import { ProveRecord } from '../../../libs/application/proofs/record-proof.js';
import { type InclusionProof, flawOfInclusion } from '../../../libs/proofs/merkle.js';
import { flawOfRecord, type RecordProof } from '../../../libs/proofs/record-proof.js';
import { openDrives, dataOf } from '../harness/engine.js';
import { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median, percentile } from '../harness/statistics.js';
import { copyOf, dataset, openFolder } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

const MOST_MADE_MS = 5;
const MOST_CHECKED_MS = 1;

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly digest: string;
  readonly proofs: number;
}

interface Figures {
  /** In the longest of the proofs. */
  readonly hashes: number;
  readonly made_p50_ms: number;
  readonly made_p99_ms: number;
  readonly checked_p99_ms: number;
}

type Result = Record<string, Figures>;

/** Making and checking proofs about a long drive: of events, of records, and that there is no such record. */
export const row: Row = {
  name: 'proofs',
  async run(bench): Promise<readonly Line[]> {
    const order = longDriveOrder(bench);
    const seeded = await dataset(order, bench);
    const input: Input = {
      folder: await copyOf(seeded, bench),
      drive_id: seeded.drive_id,
      digest: seeded.owner.digest,
      proofs: bench.is_quick ? 200 : 1_000,
    };
    const found = await Child.inside<Result>('rows/proofs', input, bench);
    return Object.entries(found).map(([what, figures]) => {
      const { hashes, made_p50_ms, made_p99_ms, checked_p99_ms } = figures;
      return {
        what: `proof ${what} among ${show(order.events)} events, in the process`,
        target: `made p99 ≤ ${MOST_MADE_MS} ms, checked ≤ ${MOST_CHECKED_MS} ms`,
        measured: `p50 ${show(made_p50_ms)} ms, p99 ${show(made_p99_ms)} ms; checked p99 ${show(checked_p99_ms)} ms`,
        reference: `${hashes} hashes at most`,
        holds: made_p99_ms <= MOST_MADE_MS && checked_p99_ms <= MOST_CHECKED_MS,
        figures: { ...figures },
      };
    });
  },
};

export async function inside({ folder, drive_id, digest, proofs }: Input): Promise<Result> {
  const stores = openFolder(folder);
  const drives = openDrives(stores);
  const random = new Random(23);
  const reader = { drive_id, credential: { kind: 'api_key', digest } as const };
  const ask = async <Asked>(query: DeclaredQuery<Asked, unknown>, input: Asked): Promise<any> =>
    dataOf(await query.answer(drives, reader, input));
  const drive = await drives.open(drive_id);
  const { revision: head } = drive.head;
  const records = drive.state.tables.flatMap(({ definition, ids }, at) =>
    ['contacts', 'groups', 'system_permissions'].includes(definition.name)
      ? [...ids.call(drive.state.tables[at]!)].map((id) => [definition.name, id] as const)
      : [],
  );
  const record = (): Promise<RecordProof> => {
    const [family, record_id] = records[random.below(records.length)]!;
    return ask(ProveRecord, { record_id, family: family as 'groups' });
  };
  const absence = (): Promise<RecordProof> =>
    ask(ProveRecord, { record_id: `GroupID_${random.uuid()}`, family: 'groups' });
  const event = (size?: number): Promise<InclusionProof> =>
    ask(ProveEvent, { revision: random.below(size ?? head + 1), ...(size && { size }) });
  const of_record = ({ leaf, neighbours, bucket_path }: RecordProof): number =>
    [leaf, ...neighbours].reduce((sum, one) => sum + (one?.path.length ?? 0), bucket_path.length);
  const result: Result = {
    'of an event in the log of now': await measure(proofs, event, flawOfInclusion, lengthOf),
    'of an event in an earlier log': await measure(
      proofs,
      () => event(2 + random.below(head)),
      flawOfInclusion,
      lengthOf,
    ),
    'of a record': await measure(proofs, record, flawOfRecord, of_record),
    'that there is no such record': await measure(proofs, absence, flawOfRecord, of_record),
  };
  await drives.close();
  await stores.close();
  return result;
}

const lengthOf = ({ path }: InclusionProof): number => path.length;

async function measure<Proof>(
  proofs: number,
  make: () => Promise<Proof>,
  flawOf: (proof: Proof) => string | null,
  hashesIn: (proof: Proof) => number,
): Promise<Figures> {
  const made: number[] = [];
  const checked: number[] = [];
  let hashes = 0;
  // The first of all writes the tiles and hashes the state.
  for (let at = 0; at < 20; at++) await make();
  for (let at = 0; at < proofs; at++) {
    const started = performance.now();
    const proof = await make();
    const done = performance.now();
    const flaw = flawOf(proof);
    checked.push(performance.now() - done);
    made.push(done - started);
    if (flaw) throw new Error(flaw);
    hashes = Math.max(hashes, hashesIn(proof));
  }
  return {
    hashes,
    made_p50_ms: median(made),
    made_p99_ms: percentile(made, 0.99),
    checked_p99_ms: percentile(checked, 0.99),
  };
}
