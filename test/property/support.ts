import type { RecordBase } from '../../libs/domain/kernel/record.js';
import type { DriveState } from '../../libs/domain/foundation/state.js';
import * as fc from 'fast-check';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { apiKeyReads } from '../../libs/domain/api-keys/reads.js';
import { contactReads } from '../../libs/domain/contacts/reads.js';
import { fileReads, folderReads } from '../../libs/domain/directory/reads.js';
import { diskReads } from '../../libs/domain/disks/reads.js';
import { bundledDisk } from '../../libs/domain/disks/bundled.js';
import type { Context } from '../../libs/domain/foundation/decision.js';
import type { ReadDefinition } from '../../libs/domain/foundation/reading.js';
import { inviteReads } from '../../libs/domain/groups/invites-reads.js';
import { groupReads } from '../../libs/domain/groups/reads.js';
import type { PairIndex } from '../../libs/domain/kernel/indexes/pair-index.js';
import type { Table } from '../../libs/domain/kernel/table.js';
import { knownDriveReads } from '../../libs/domain/known-drives/reads.js';
import { labelReads } from '../../libs/domain/labels/reads.js';
import {
  directoryPermissionReads,
  systemPermissionReads,
} from '../../libs/domain/permissions/reads.js';
import { webhookReads } from '../../libs/domain/webhooks/reads.js';
import { purchaseReads } from '../../libs/domain/purchases/reads.js';
import type { CommandRequest } from '../../libs/engine/writer/call.js';
import type { Drive } from '../../libs/engine/writer/drive.js';
import type { EngineLimits } from '../../libs/engine/drives/limits.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import type { Document, ReadModel, Reads } from '../../libs/read-model/port.js';
import { type PlannedCommand, Planner, type Step } from './random-commands.js';

/** How many runs a property gets; each has at least 200 commands. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 12);

const BUNDLED = bundledDisk({ name: 'Gift', disk_type: 'LOCAL_SSD', auth_json: '{"gift":1}' });

/** A drive that random commands run on, with the read model that the service has. */
export class RandomDrive {
  readonly spec: EngineSpec;
  readonly planner = new Planner();
  refused = 0;
  accepted = 0;

  private constructor(limits?: Partial<EngineLimits>) {
    this.spec = new EngineSpec({ schema: READ_SCHEMA, ...(limits && { limits }) });
  }

  static async start(limits?: Partial<EngineLimits>): Promise<RandomDrive> {
    const random = new RandomDrive(limits);
    await random.spec.spawn(DRIVE_A, { bundled_default_disk: BUNDLED });
    // Asked for now, all indexes are kept in step from here on; other states make theirs when compared.
    besides((await random.drive()).state);
    return random;
  }

  drive(): Promise<Drive> {
    return this.spec.drives.open(DRIVE_A);
  }

  /** Runs the steps one after another, each planned on the state it meets. */
  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      const outcome = await this.start(step, (await this.drive()).state);
      if ('refusal' in outcome) this.refused++;
      else this.accepted++;
    }
  }

  /** Sends one step, planned on a state. */
  start(step: Step, state: DriveState) {
    return this.send(this.planner.plan(step, state, this.spec.now));
  }

  /** Sends a planned command, perhaps with more than a bare request. */
  send(planned: PlannedCommand, extras: Partial<CommandRequest> = {}) {
    const { definition, command, credential, after_ms } = planned;
    this.spec.now += after_ms;
    const request: CommandRequest = {
      credential,
      correlation_id: 'random',
      reason: null,
      idempotency: null,
      ...extras,
    };
    return this.spec.drives.commands.run(DRIVE_A, definition, command, request);
  }
}

export const READS = [
  contactReads,
  groupReads,
  inviteReads,
  diskReads,
  fileReads,
  folderReads,
  apiKeyReads,
  directoryPermissionReads,
  systemPermissionReads,
  webhookReads,
  labelReads,
  knownDriveReads,
  purchaseReads,
] as unknown as readonly ReadDefinition<RecordBase, object>[];

/** Prints the seed with every run, so that a failure elsewhere can be had again. */
export async function check(property: fc.IAsyncProperty<any>, name: string): Promise<void> {
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() & 0x7fffffff);
  process.stdout.write(`${name}: seed ${seed}, ${RUNS} runs\n`);
  await fc.assert(property, { seed, numRuns: RUNS, endOnFailure: true });
}

/** Every document of every family, page by page, with what the owner is shown of it. */
export async function everything(
  read_model: Reads<Document>,
  context: Context,
): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const family of Object.keys(READ_SCHEMA)) {
    const reads = READS.find((definition) => definition.family === family);
    const shown: unknown[] = [];
    let after: { key: string | number; id: string } | null = null;
    do {
      const page: Awaited<ReturnType<ReadModel<Document>['list']>> = await read_model.list(
        DRIVE_A,
        {
          family,
          visible: 'all',
          direction: 'ASC',
          page_size: 17,
          ...(after && { after }),
        },
      );
      for (const document of page.items)
        shown.push({
          document,
          shown: reads?.present(context, document.record as RecordBase),
          total: page.total,
        });
      after = page.after;
    } while (after);
    all[family] = shown;
  }
  return all;
}

/** What stands beside the records: every index, the counts of references, the retired ids. */
export function besides(state: DriveState): unknown {
  const tables = state.tables.map((table) => [
    table.definition.name,
    table.size,
    namesOf(table.definition.indexes).map((name) => [name, plain(table['index'](name)['sets'])]),
    namesOf(table.definition.pairs).map((name) => [name, pairsOf(table, table.pair(name))]),
  ]);
  return {
    tables,
    references: plain(state.undo_log['counted']),
    pins: plain(state.undo_log.pins['held']['sets']),
    retired: [...state.undo_log.retiredIds()].sort(),
  };
}

const namesOf = (made: object | undefined): string[] => Object.keys(made ?? {});

/** What an index finds under every pair it has met; a record that is not the live one is a fault. */
function pairsOf(table: Table<RecordBase>, index: PairIndex<RecordBase>): string[] {
  const found: string[] = [];
  for (const first of index['cells'].keys())
    for (const second of index['seconds'].keys())
      index.some(first, index.secondValues([second]), (record) => {
        const is_live = table.get(record.id) === record;
        found.push(`${first} ${second} ${record.id}${is_live ? '' : ' (stale)'}`);
        return false;
      });
  return found.sort();
}

/** Maps and sets as sorted lists, so that only what they hold is compared. */
function plain(value: unknown): unknown {
  if (value instanceof Set) return [...value].sort();
  if (value instanceof Map)
    return [...value]
      .map(([key, held]) => [key, plain(held)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, held]) => [key, plain(held)]);
}
