import { SCHEMA, type Thing, aThing, manyThings } from '../contract/fixtures.contract.js';
import type { ChangingSource, Document, ListQuery } from '../port.js';
import { StateReads } from './state-reads.js';

const RECORDS = 2_000;
const CHANGED = 1_500;

/** Things that change, as a past state does when it moves. */
class ChangingThings implements ChangingSource {
  revision = 0;
  rendered = 0;
  private readonly things = new Map(manyThings(RECORDS).map((one) => [one.id, one] as const));
  private readonly changed: string[] = [];

  put(thing: Thing): void {
    this.things.set(thing.id, thing);
    this.changed.push(thing.id);
  }

  remove(id: string): void {
    this.things.delete(id);
    this.changed.push(id);
  }

  version(): number {
    return this.changed.length;
  }

  changedSince(_: string, version: number): ReadonlySet<string> {
    return new Set(this.changed.slice(version));
  }

  document(family: string, id: string): Document | undefined {
    const record = family === 'things' ? this.things.get(id) : undefined;
    this.rendered++;
    return record && { family, id, revision: 0, record };
  }

  *documents(family: string): Iterable<Document> {
    for (const id of this.things.keys()) yield this.document(family, id)!;
  }

  /** Removes, changes and adds records, a third each. */
  change(): void {
    for (let nth = 0; nth < CHANGED; nth += 3) {
      this.remove(`a${String(nth).padStart(2, '0')}`);
      const id = `a${String(nth + 1).padStart(2, '0')}`;
      this.put(aThing(id, { created_at: nth + 1, name: `changed ${nth}`, color: 'red' }));
      this.put(aThing(`new-${nth}`, { created_at: nth }));
    }
  }
}

/** Runs every step in a turn of its own; `stop` says after which it fails. */
const slowly = (stop = Infinity) => {
  let left = stop;
  return async (steps: Iterable<unknown>): Promise<void> => {
    for (const _ of steps) {
      await new Promise(setImmediate);
      if (left-- <= 0) throw new Error('abandoned');
    }
  };
};

describe('the queries of a state that has changed much', () => {
  let source: ChangingThings;
  beforeEach(() => (source = new ChangingThings()));

  const ASKED: ListQuery = {
    ...{ family: 'things', direction: 'DESC', page_size: 700 },
    visible: [{ field: 'color', among: new Set(['red', 'grey']) }],
    filter: { text: 'e', or: [{ field: 'color', among: new Set(['red']) }] },
  };
  const asked = (reads: StateReads) => reads.list('DriveID_a', ASKED);
  const fresh = () => asked(new StateReads(SCHEMA, source));

  it('are right, also several at one time, and each changed record is read once', async () => {
    const reads = new StateReads(SCHEMA, source, slowly());
    await asked(reads);
    source.change();
    source.rendered = 0;
    const answers = await Promise.all([asked(reads), asked(reads)]);
    const { rendered } = source;
    const right = await fresh();
    expect(right.total).toBe(CHANGED / 3 + CHANGED / 3);
    expect(answers).toEqual([right, right]);
    // Those of the two pages are read as well.
    expect(rendered).toBe(CHANGED + 2 * right.items.length);
  });

  it('are right after one that was abandoned among its updates', async () => {
    let steps = slowly();
    const reads = new StateReads(SCHEMA, source, (all) => steps(all));
    await asked(reads);
    source.change();
    steps = slowly(20);
    const waiting = [asked(reads), asked(reads)];
    await expect(waiting[0]).rejects.toThrow('abandoned');
    steps = slowly();
    await waiting[1]!.catch(() => {});
    expect(await asked(reads)).toEqual(await fresh());
  });
});
