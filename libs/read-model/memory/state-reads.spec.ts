import fc from 'fast-check';

import { SCHEMA, type Thing, aThing, manyThings } from '../contract/fixtures.contract.js';
import {
  type ChangingSource,
  type Document,
  type ListQuery,
  type Page,
  RepeatQuery,
} from '../port.js';
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

  changedSince(_: string, version: number, until?: number): ReadonlySet<string> | null {
    return this.between(version, until);
  }

  between(version: number, until?: number): ReadonlySet<string> {
    return new Set(this.changed.slice(version, until));
  }

  document(family: string, id: string): Document | undefined {
    const record = family === 'things' ? this.things.get(id) : undefined;
    this.rendered++;
    return record && { family, id, revision: 0, record };
  }

  *documents(family: string): Iterable<Document> {
    for (const id of this.things.keys().take(this.things.size)) yield this.document(family, id)!;
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

const atOnce = async (steps: Iterable<unknown>): Promise<void> => {
  for (const _ of steps);
};

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

/** The answer of a query that had to wait for an index. */
async function repeatedOnce<T>(query: () => Promise<T>): Promise<T> {
  await expect(query()).rejects.toThrow(RepeatQuery);
  return query();
}

/** The state of a spec changes as the spec says. */
const unchanged = (work: () => Promise<void>): Promise<void> => work();

describe('the queries of a state that has changed much', () => {
  let source: ChangingThings;
  beforeEach(() => (source = new ChangingThings()));

  const ASKED: ListQuery = {
    ...{ family: 'things', direction: 'DESC', page_size: 700 },
    visible: [{ field: 'color', among: new Set(['red', 'grey']) }],
    filter: { text: 'e', or: [{ field: 'color', among: new Set(['red']) }] },
  };
  const asked = (reads: StateReads) => reads.list('DriveID_a', ASKED);
  const fresh = () => asked(new StateReads(SCHEMA, source, atOnce));

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

describe('the queries of a state that changes while it is indexed', () => {
  const LISTED: ListQuery = {
    family: 'things',
    direction: 'ASC',
    page_size: 3_000,
    visible: 'all',
  };
  const FILTERED: ListQuery = {
    ...LISTED,
    visible: [{ field: 'color', among: new Set(['red', 'grey', 'blue']) }],
    filter: { text: 'ch' },
  };
  /** Changes that a source remembers which forgets. */
  const MOST_KNOWN = 150;
  const SOUGHT = {
    ...({ text: 'ch', order: 'ALPHABETICAL', direction: 'ASC', page_size: 3_000 } as const),
    families: [{ family: 'things', visible: 'all' }] as const,
  };
  /** Changes per turn of the loop, of which some bring back what was there. */
  const change = (source: ChangingThings, random: number): void => {
    const id = `a${String(random % RECORDS).padStart(2, '0')}`;
    const before = source.document('things', id)?.record as Thing | undefined;
    if (random % 5 === 0 && before) source.remove(id);
    // As a rollback: the record is now the last.
    if (random % 10 === 0 && before) source.put(before);
    if (random % 5 === 1) source.put(aThing(id, { created_at: random, name: `ch${random}` }));
    if (random % 5 === 2)
      source.put(aThing(`new-${random % 300}`, { created_at: random % RECORDS }));
    if (random % 5 === 3) source.put(aThing(id, { name: 'ch', color: 'blue' }));
  };

  it('are rejected once what they need is indexed, and answered when they are repeated', async () => {
    const source = new ChangingThings();
    const reads = new StateReads(SCHEMA, source, slowly(), unchanged);
    expect([...reads.indexed]).toEqual([]);
    await expect(reads.list('DriveID_a', LISTED)).rejects.toThrow(RepeatQuery);
    expect((await reads.list('DriveID_a', LISTED)).total).toBe(RECORDS);
    expect([...reads.indexed]).toEqual([['things', false]]);
    await expect(reads.search('DriveID_a', SOUGHT)).rejects.toThrow(RepeatQuery);
    await reads.search('DriveID_a', SOUGHT);
    expect([...reads.indexed]).toEqual([['things', true]]);
    const next = new StateReads(SCHEMA, source, slowly(), unchanged);
    await next.prepareAs(reads);
    source.rendered = 0;
    expect((await next.search('DriveID_a', SOUGHT)).total).toBe(0);
    expect(source.rendered).toBe(0);
  });

  it('are always those of the state as it is then', async () => {
    const met = { repeated: 0, restarted: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat(0xffffff)),
        fc.integer({ min: 20, max: 400 }),
        fc.boolean(),
        async (randoms, steps_a_turn, forgets) => {
          const source = new ChangingThings();
          if (forgets)
            source.changedSince = (_, version, until) => {
              // Only the last changes are known; a turn has fewer, mostly.
              if (source.version() - version <= MOST_KNOWN) return source.between(version, until);
              met.restarted++;
              return null;
            };
          const next = (): number => randoms.next().value;
          let nth = 0;
          const inTurns = async (steps: Iterable<unknown>): Promise<void> => {
            for (const _ of steps) {
              if (++nth % steps_a_turn > 0) continue;
              await new Promise(setImmediate);
              const changes = (next() % 64) + (next() % 100 === 0 ? MOST_KNOWN : 0);
              for (let at = 0; at < changes; at++) change(source, next());
            }
          };
          const reads = new StateReads(SCHEMA, source, inTurns, unchanged);
          const queries = [
            (of: StateReads): Promise<Page<unknown>> => of.list('DriveID_a', LISTED),
            (of: StateReads): Promise<Page<unknown>> => of.list('DriveID_a', FILTERED),
            (of: StateReads): Promise<Page<unknown>> => of.search('DriveID_a', SOUGHT),
          ];
          const answered = async (query: (typeof queries)[number]): Promise<void> => {
            for (;;)
              try {
                const page = await query(reads);
                expect(page).toEqual(await query(new StateReads(SCHEMA, source, atOnce)));
                return;
              } catch (error) {
                if (!(error instanceof RepeatQuery)) throw error;
                met.repeated++;
              }
          };
          for (let round = 0; round < 3; round++) {
            await Promise.all(queries.map(answered));
            for (let at = next() % 700; at > 0; at--) change(source, next());
          }
        },
      ),
      { numRuns: 12 },
    );
    expect(met.repeated).toBeGreaterThan(12);
    expect(met.restarted).toBeGreaterThan(0);
  });

  it.each([false, true])(
    'have it kept as it is if it changes faster than the index follows, that was there: %s',
    async (was_there) => {
      const source = new ChangingThings();
      let nth = 0;
      let changes = 0;
      let is_kept = false;
      const inTurns = async (steps: Iterable<unknown>): Promise<void> => {
        for (const _ of steps)
          for (let at = 0; at < changes && !is_kept; at++) change(source, nth++ * 7);
      };
      const kept: boolean[] = [];
      const reads = new StateReads(SCHEMA, source, inTurns, async (work) => {
        kept.push((is_kept = true));
        await work();
        is_kept = false;
      });
      const listed = () => reads.list('DriveID_a', LISTED);
      if (was_there) {
        await repeatedOnce(listed);
        for (let at = 0; at < 1_000; at++) change(source, at * 7);
      }
      expect(kept).toEqual([]);
      changes = 200;
      await expect(listed()).rejects.toThrow(RepeatQuery);
      expect(kept).toEqual([true]);
      expect(await listed()).toEqual(
        await new StateReads(SCHEMA, source, atOnce).list('DriveID_a', LISTED),
      );
    },
  );

  it('have it kept as it is if it has changed much each time before they are repeated', async () => {
    const source = new ChangingThings();
    let keeps = 0;
    const reads = new StateReads(SCHEMA, source, slowly(), (work) => {
      keeps++;
      return work();
    });
    const listed = () => reads.list('DriveID_a', LISTED);
    const changeMuch = (): void => {
      for (let at = 0; at < 1_000; at++) change(source, at * 7);
    };
    await expect(listed()).rejects.toThrow(RepeatQuery);
    changeMuch();
    expect(keeps).toBe(0);
    await expect(listed()).rejects.toThrow(RepeatQuery);
    expect(keeps).toBe(1);
    await listed();
    // Once it has been answered, the next one is new.
    changeMuch();
    await expect(listed()).rejects.toThrow(RepeatQuery);
    expect(keeps).toBe(1);
    await listed();
  });

  it('follow it while the texts are read', async () => {
    const source = new ChangingThings();
    let turns = 0;
    const inTurns = async (steps: Iterable<unknown>): Promise<void> => {
      for (const _ of steps) {
        await new Promise(setImmediate);
        if (++turns !== RECORDS + 100) continue;
        // The texts of these have been read; the removed ones' places are used again.
        for (let nth = 10; nth < 20; nth++) source.put(aThing(`a${nth}`, { name: `ch${nth}` }));
        for (let nth = 20; nth < 30; nth++) source.remove(`a${nth}`);
        await reads.list('DriveID_a', LISTED);
        for (let nth = 0; nth < 5; nth++) source.put(aThing(`new${nth}`, { name: '' }));
        await reads.list('DriveID_a', LISTED);
        source.remove('a1000');
      }
    };
    const reads = new StateReads(SCHEMA, source, inTurns, unchanged);
    await reads.list('DriveID_a', LISTED).catch(() => {});
    const sought = { ...SOUGHT, text: '2' };
    await expect(reads.search('DriveID_a', sought)).rejects.toThrow(RepeatQuery);
    expect(turns).toBeGreaterThan(2 * RECORDS - 100);
    for (const query of [SOUGHT, sought])
      expect(await reads.search('DriveID_a', query)).toEqual(
        await new StateReads(SCHEMA, source, atOnce).search('DriveID_a', query),
      );
  });

  it('leave nothing of a former text once they are refreshed', async () => {
    const source = new ChangingThings();
    const reads = new StateReads(SCHEMA, source, slowly(), unchanged);
    await reads.search('DriveID_a', SOUGHT).catch(() => {});
    const has = (): boolean => {
      const index = reads['image']['families'].get('things')!;
      const { slot } = index['entries'].get('a07')!;
      const { texts } = index;
      return texts.index.contains(slot, { kind: 'search', text: 'secret' });
    };
    source.put(aThing('a07', { name: 'secret' }));
    reads.refresh();
    expect(has()).toBe(true);
    source.put(aThing('a07', { name: 'erased' }));
    expect(has()).toBe(true);
    reads.refresh();
    expect(has()).toBe(false);
    // Many changes at once would take long.
    source.change();
    reads.refresh();
    expect([...reads.indexed]).toEqual([]);
  });
});
