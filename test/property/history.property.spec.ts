import * as fc from 'fast-check';
import { Compare } from '../../libs/application/history/compare.js';
import {
  GetHistory,
  type HistoryInput,
  type HistoryItem,
} from '../../libs/application/history/history.js';
import type { ListPage } from '../../libs/application/list-records.js';
import type { Outcome } from '../../libs/engine/writer/call.js';
import { streamOf } from '../../libs/engine/fold/fold.js';
import type { AppendedIndex } from '../../libs/engine/read-models/index-feed.js';
import { FoldingIndexer } from '../../libs/engine/read-models/index-folder.js';
import { rebuildReadModels } from '../../libs/engine/read-models/rebuild.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive } from './support.js';

async function answered<T>(outcome: Promise<Outcome<T>>): Promise<T> {
  const settled = await outcome;
  if (!('data' in settled)) throw new Error(settled.refusal.refusal);
  return settled.data;
}

async function owner(random: RandomDrive) {
  const { owner_id } = (await random.drive()).state.organization;
  const credential = { kind: 'signature', user_id: owner_id } as const;
  return { drive_id: DRIVE_A, credential };
}

/** Every page of the owner's history, one behind the other. */
async function everyItem(
  random: RandomDrive,
  direction: 'ASC' | 'DESC',
  page_size: number,
): Promise<HistoryItem[]> {
  const reader = await owner(random);
  const items: HistoryItem[] = [];
  let cursor_down: string | undefined;
  do {
    const input: HistoryInput = { direction, page_size, cursor_down };
    const page: ListPage<HistoryItem> = await answered(
      GetHistory.answer(random.spec.drives, reader, input),
    );
    items.push(...page.items);
    cursor_down = page.cursor_down ?? undefined;
  } while (cursor_down);
  return items;
}

/** The events of a drive as its index takes them, from a fold of the stream. */
async function textOfEvents({ spec }: RandomDrive, to: number): Promise<Uint8Array> {
  let folded: Uint8Array | undefined;
  const span = { drive_id: DRIVE_A, index_id: DRIVE_A, from: null, to };
  const index: AppendedIndex = {
    append_events: Infinity,
    append: async (_, text) => void (folded = text),
  };
  const folder = new FoldingIndexer(spec.events, spec.drives.loader);
  await folder.index(span, index, new AbortController().signal);
  return folded!;
}

describe('the history of any drive', () => {
  it('is its stream page by page, with what each event changed; its index is the same rebuilt', async () => {
    await check(
      fc.asyncProperty(
        manySteps,
        fc.integer({ min: 1, max: 60 }),
        fc.nat(0xffff),
        async (steps, page_size, number) => {
          const random = await RandomDrive.start({ snapshot_every_events: 30 });
          const { spec } = random;
          await random.run(steps);
          const { revision } = (await random.drive()).head;
          const stored = await spec.events.readStream(streamOf(DRIVE_A), 0, 'forward', 100_000);
          const ascending = await everyItem(random, 'ASC', page_size);
          expect(ascending.map(({ event_id, hash }) => [event_id, hash])).toEqual(
            stored.map(({ event_id, hash }) => [event_id, Buffer.from(hash).toString('hex')]),
          );
          expect(await everyItem(random, 'DESC', page_size)).toEqual(ascending.toReversed());

          const to = 1 + (number % Math.max(1, revision));
          const { items } = await answered(
            Compare.answer(spec.drives, await owner(random), {
              from: { revision: to - 1 },
              to: { revision: to },
              include: [],
              page_size: 1000,
              direction: 'ASC',
            }),
          );
          const compared = items.flatMap(({ resource_id, fields }) =>
            fields.map((field) => JSON.stringify({ resource_id, ...field })),
          );
          const told = ascending[to]!.changes.map((change) => JSON.stringify(change));
          expect(told.toSorted()).toEqual(compared.toSorted());

          await spec.drives.indexer.storedUpTo(DRIVE_A, revision);
          const { index } = spec.side;
          const text = await textOfEvents(random, revision);
          const expectWhole = async (): Promise<void> => {
            expect((await index.position(DRIVE_A))?.revision).toBe(revision);
            expect(await index.firstDifference(DRIVE_A, text)).toBeNull();
          };
          await expectWhole();
          const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
          await rebuildReadModels(spec.drives, DRIVE_A, progress);
          expect(spec.reports).toEqual([]);
          await expectWhole();
          await index.drop(DRIVE_A);
          const fresh = spec.restarted();
          await fresh.drives.indexer.storedUpTo(DRIVE_A, revision);
          await expectWhole();
          await fresh.drives.close();
        },
      ),
      'history',
    );
  });
});
