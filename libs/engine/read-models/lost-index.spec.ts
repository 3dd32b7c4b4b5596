import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { emptyState, foldOnto } from '../fold/fold.js';

const WHOLE = { from: 0, to: Infinity };

describe('an index of events that is lost meanwhile', () => {
  let spec: EngineSpec;
  let revision: number;

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    for (let nth = 0; nth < 5; nth++) await spec.group(`G${nth}`);
    ({ revision } = (await spec.drives.open(DRIVE_A)).head);
    await spec.drives.indexer.storedUpTo(DRIVE_A, revision);
  });

  /** As a file in which a page is damaged, and which another organization's query replaces. */
  async function lose(): Promise<void> {
    const { index } = spec.side;
    await index.drop(DRIVE_A);
    await index.drop(`${DRIVE_A} building`);
    Object.defineProperty(index, 'losses', { value: index.losses! + 1, configurable: true });
  }
  const found = async () =>
    (await spec.drives.indexer.upTo(DRIVE_A, revision)).find({}, WHOLE, 'ASC', 99);

  it('is not taken for one without events by a query that it has begun to answer', async () => {
    const { index } = spec.side;
    const find = index.find.bind(index);
    const once = async (...asked: Parameters<typeof find>) => {
      index.find = find;
      await lose();
      return find(...asked);
    };
    index.find = once;
    await expect(found()).rejects.toMatchObject({ reason: 'store-failed' });
    expect(await found()).toHaveLength(revision + 1);
  });

  it('is not taken for one without events by a query that waits until it is complete', async () => {
    const { indexer } = spec.drives;
    const storedUpTo = indexer.storedUpTo.bind(indexer);
    await spec.note();
    revision++;
    await indexer.flush();
    Object.assign(indexer, {
      recentOf: () => undefined,
      storedUpTo: async (...asked: Parameters<typeof storedUpTo>) => {
        await storedUpTo(...asked);
        await lose();
      },
    });
    await expect(found()).rejects.toMatchObject({ reason: 'store-failed' });
    Object.assign(indexer, { storedUpTo });
    expect(await found()).toHaveLength(revision + 1);
  });

  it('does not become the rebuilt one', async () => {
    const { indexer } = spec.drives;
    const feed = indexer.begin(DRIVE_A);
    await foldOnto(emptyState(DRIVE_A), feed.source(spec.events), {
      to: revision,
      touched: (keys, event) => feed.note(keys, event),
    });
    await feed.end();
    await lose();
    await expect(indexer.switchTo(DRIVE_A, feed)).rejects.toMatchObject({ reason: 'store-failed' });
    expect(await found()).toHaveLength(revision + 1);
  });
});
