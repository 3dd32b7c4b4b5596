import * as fc from 'fast-check';
import { summarize, summaryContextOf } from '../../libs/domain/drive/summaries.js';
import { AllRecordsNeeded } from '../../libs/domain/kernel/partial-table.js';
import type { Opener } from '../../libs/domain/kernel/sealed.js';
import { decodeData } from '../../libs/engine/keys/codec.js';
import { RecordFolds } from '../../libs/engine/past/record-folds.js';
import { visitStates, type VisitEvent } from '../../libs/engine/past/span.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive } from './support.js';

/** Events that were visited record by record, and those that needed all records. */
const met = { folded: 0, refused: 0 };

/** What the history shows of an event, as JSON: its summary, and the records before and after it. */
function visitOf(open: Opener, user_id: string): VisitEvent<string> {
  return (event, state, changes) => {
    const names = summaryContextOf({ state, open }, { user_id, via: 'SIGNATURE' }, changes);
    const summary = summarize(names, event.type, decodeData(event.data));
    const records = changes.map(({ definition, id, before, after }) =>
      JSON.stringify([definition.name, id, before, after]),
    );
    return JSON.stringify({ summary, actor: names.actor, records: records.toSorted() });
  };
}

it('a record folded from its own events, or remembered by a state, is the record in the state of all', async () => {
  await check(
    fc.asyncProperty(manySteps, async (steps) => {
      const random = await RandomDrive.start({ snapshot_every_events: 30 });
      const { drives } = random.spec;
      await random.run(steps);
      const { head, state, keyring } = await random.drive();
      const indexed = await drives.indexer.upTo(DRIVE_A, head.revision);
      const visit = visitOf(keyring.open, state.organization.owner_id);
      const revisions = Array.from({ length: head.revision + 1 }, (_, revision) => revision);
      const expected = new Map<number, string>();
      await visitStates(drives, DRIVE_A, revisions, visit, expected);
      const compare = async (revision: number): Promise<void> => {
        const folds = new RecordFolds(drives, DRIVE_A, indexed);
        try {
          expect(await folds.after(revision, visit)).toEqual(expected.get(revision));
          met.folded++;
        } catch (error) {
          if (!(error instanceof AllRecordsNeeded)) throw error;
          met.refused++;
        }
      };
      // First with what a state remembers, wherever it is.
      for (const revision of revisions) {
        await drives.past_states.read(DRIVE_A, (revision * 7) % revisions.length, () => {});
        await compare(revision);
      }
      drives.past_states.forget(DRIVE_A);
      for (const revision of revisions) await compare(revision);
    }),
    'record-folds',
  );
  // Swaps of user ids are frequent here, and need all records.
  expect(met.folded).toBeGreaterThan(met.refused / 3);
  expect(met.refused).toBeGreaterThan(0);
});
