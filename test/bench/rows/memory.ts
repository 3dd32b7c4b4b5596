import type { DomainEvent } from '../../../libs/domain/foundation/events.js';
import { groupReads } from '../../../libs/domain/groups/reads.js';
import { READ_SCHEMA } from '../../../libs/application/read-schema.js';
import { encodeEvent } from '../../../libs/engine/keys/codec.js';
import { applyEvent, emptyState } from '../../../libs/engine/fold/fold.js';
import { Keyring } from '../../../libs/engine/keys/keyring.js';
import { stateSource } from '../../../libs/engine/read-models/source.js';
import { inTurns } from '../../../libs/engine/tasks/turns.js';
import { MemoryReadModel } from '../../../libs/read-model/memory/memory-read-model.js';
import { repeating } from '../../../libs/read-model/memory/testing/repeating.js';
import { askAllIndexes, held } from '../harness/held.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { MixedDrive, seededDrive } from '../seed/plans.js';

/** Bytes a record, over all records of the state. */
interface Result {
  readonly records: number;
  readonly state: number;
  readonly with_hash: number;
  readonly with_index: number;
  readonly with_search: number;
}

/** What a record takes in memory: in the state, with its hash, and with the index that answers queries. */
export const row: Row = {
  name: 'memory',
  async run(bench): Promise<readonly Line[]> {
    const input = { records: bench.is_quick ? 20_000 : 100_000 };
    const found = await Child.inside<Result>('rows/memory', input, bench);
    const { records, state, with_hash, with_index, with_search } = found;
    const line = (what: string, bytes: number, most: number | null): Line => ({
      what: `${what}, ${show(records)} records of mixed families`,
      target: most === null ? '' : `≤ ${most} B a record`,
      measured: `${show(bytes)} B a record`,
      reference: '',
      holds: most === null ? null : bytes <= most,
      figures: { records, bytes },
    });
    return [
      line('memory of the state', state, 800),
      line('with the state hash asked for once', with_hash, null),
      line('with every family listed once as owner', with_index, null),
      line('with everything filtered and searched once', with_search, null),
    ];
  },
};

export async function inside({ records }: { records: number }): Promise<Result> {
  const drive = seededDrive(1);
  const keyring = new Keyring(drive.drive_id, new Map());
  const folded = emptyState(drive.drive_id);
  // The keyring remembers clear texts only as long as their boxes live.
  const before = held();
  let revision = 0;
  for (const one of new MixedDrive(drive, 1).events({ records, events: 0 })) {
    applyEvent(folded.state, stored(one, keyring, revision++));
    folded.state.undo_log.forget();
  }
  const { state } = folded;
  askAllIndexes(state);
  const count = state.tables.reduce((sum, { size }) => sum + size, 0);
  const per_record = (): number => (held() - before) / count;
  const of_state = per_record();
  folded.hash.root();
  const with_hash = per_record();
  const source = stateSource(state, keyring.open);
  const read_model = repeating(
    new MemoryReadModel(READ_SCHEMA).over(source, inTurns, (work) => work()),
  );
  const page = { page_size: 50, direction: 'ASC', visible: 'all' } as const;
  for (const family of Object.keys(READ_SCHEMA))
    await read_model.list(drive.drive_id, { ...page, family });
  const with_index = per_record();
  for (const family of Object.keys(READ_SCHEMA))
    await read_model.list(drive.drive_id, { ...page, family, filter: { text: 'kalomi' } });
  await read_model.search(drive.drive_id, {
    ...page,
    text: 'kalomi',
    order: 'UPDATED_AT',
    families: ['contacts', groupReads.family, 'disks'].map((family) => ({
      family,
      visible: 'all',
    })),
  });
  return { records: count, state: of_state, with_hash, with_index, with_search: per_record() };
}

/** The event as it comes from the store. */
function stored(one: DomainEvent, keyring: Keyring, revision: number) {
  const { data, ...encoded } = encodeEvent(one, keyring);
  return {
    ...encoded,
    // A string of its own, as a store gives it, not one that holds on to its pieces.
    data: Buffer.from(data).toString(),
    revision,
    event_id: `event-${revision}`,
    timestamp_ms: 1_735_689_600_000 + revision,
    metadata: '{}',
    hash: Buffer.alloc(32),
  };
}
