import * as fc from 'fast-check';
import { listQuery } from '../../libs/application/drive-query.js';
import { readRecord } from '../../libs/application/read-record.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import type { JsonText } from '../../libs/application/views.js';
import { resolveCaller } from '../../libs/domain/access/caller.js';
import type { ReadDefinition } from '../../libs/domain/foundation/reading.js';
import type { RecordBase } from '../../libs/domain/kernel/record.js';
import { isRefusal } from '../../libs/domain/kernel/refusal.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import { inTurns } from '../../libs/engine/tasks/turns.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { StateReads } from '../../libs/read-model/memory/state-reads.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive, READS } from './support.js';

/** Families whose cached texts stay while other records change. */
const FOLLOWED = READS.filter(({ shown_from }) => shown_from);
const MOST_USERS = 4;
const PAGE = { page_size: 500, direction: 'ASC' } as const;

const plain = (shown: unknown): unknown => JSON.parse(JSON.stringify(shown));

/** Records that are there for comparison, and texts that were not rendered anew for it. */
const met = { records: 0, rendered: 0, hidden: 0, appends: 0 };

/** The same rules, counting how often a record is presented. */
function counting(reads: ReadDefinition<RecordBase, object>): typeof reads {
  const { present, presentInList = present } = reads;
  return {
    ...reads,
    present: (...asked) => (met.rendered++, present(...asked)),
    presentInList: (...asked) => (met.rendered++, presentInList(...asked)),
  };
}

/** Reads all records of a family as a user, and compares each with its presentation of now. */
async function compare(random: RandomDrive, user_id: string, reads: (typeof READS)[number]) {
  const { drives } = random.spec;
  const drive = await random.drive();
  const { state, keyring } = drive;
  const credential = { kind: 'signature', user_id } as const;
  const caller = resolveCaller(state, credential, drive.now());
  if (isRefusal(caller)) return;
  const reader = { drive_id: DRIVE_A, credential };
  const listed = await listQuery('List', reads).answer(drives, reader, { ...PAGE, filters: '' });
  if (!('data' in listed)) throw new Error(JSON.stringify(listed));
  const page = JSON.parse((listed.data as JsonText<unknown>).text) as Record<string, unknown>;
  const context = drive.context(caller, drive.now());
  const fresh = new StateReads(READ_SCHEMA, stateSource(state, keyring.open), inTurns);
  const { family, present, presentInList = present } = reads;
  const visible = reads.visible(context);
  const expected = await fresh.list(DRIVE_A, { family, visible, ...PAGE });
  expect(page.total).toBe(expected.total);
  const shown = expected.items.map(({ record }) => presentInList(context, record as RecordBase));
  expect(page.items).toEqual(plain(shown));
  for (const { id, record } of expected.items) {
    const outcome = await readRecord(drives, reads, reader, id);
    if (!('data' in outcome)) throw new Error(JSON.stringify(outcome));
    expect(plain(JSON.parse(outcome.data.text))).toEqual(
      plain(present(context, record as RecordBase)),
    );
  }
  const shown_ids = new Set(expected.items.map(({ id }) => id));
  for (const record of [...state.table(family)!.values()]) {
    if (shown_ids.has(record.id)) continue;
    const hidden = await readRecord(drives, reads, reader, record.id);
    met.hidden++;
    // Items in the trash are not listed, but may be read.
    expect('refusal' in hidden).toBe(!reads.mayRead(context, record));
  }
  // Once each in the answers and in the comparison.
  met.records += 4 * expected.items.length;
}

it('what is kept of an answer is what would be rendered anew, after any command', async () => {
  const followed = FOLLOWED.map(counting);
  await check(
    fc.asyncProperty(manySteps, async (steps) => {
      const random = await RandomDrive.start();
      const compareAll = async (): Promise<void> => {
        const { state } = await random.drive();
        const users = [state.organization.owner_id, ...state.contacts.ids()];
        for (const user_id of new Set(users.slice(0, MOST_USERS)))
          for (const reads of followed) await compare(random, user_id, reads);
      };
      let compared = Promise.resolve();
      for (const step of steps) {
        // Readers roll back what is being appended, at every second command that appends.
        random.spec.events.onAppend(async (store) => {
          await new Promise(setImmediate);
          if (++met.appends % 2 === 0 && random.spec.drives.ready(DRIVE_A))
            await (compared = compareAll()).catch(() => {});
          return store();
        });
        await random.run([step]);
        await compared;
        await compareAll();
      }
    }),
    'shown',
  );
  expect(FOLLOWED.map(({ family }) => family)).toEqual(['groups', 'files']);
  expect(met.records).toBeGreaterThan(0);
  expect(met.hidden).toBeGreaterThan(0);
  // Half of it is the comparison: of the answers, most were kept.
  expect(met.rendered).toBeLessThan(0.75 * met.records);
});
