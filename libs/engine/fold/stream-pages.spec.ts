import { FIRST_PAGE, FOLD_PAGE, pagesOf } from './stream-pages.js';

interface Numbered {
  readonly revision: number;
  readonly data: string;
}

/** Bodies of events as long as told. */
const stream = (count: number, bytes: (revision: number) => number = () => 10): Numbered[] =>
  Array.from({ length: count }, (_, revision) => ({ revision, data: ' '.repeat(bytes(revision)) }));

const MIB = 2 ** 20;

describe('pages of a stream', () => {
  let asked: [from: number, limit: number][];
  let under_way: number;

  beforeEach(() => {
    asked = [];
    under_way = 0;
  });

  /** A store that fails from a revision on. */
  const reader =
    (events: readonly Numbered[], fails_at = Infinity) =>
    async (from: number, limit: number) => {
      asked.push([from, limit]);
      under_way++;
      await new Promise(setImmediate);
      under_way--;
      if (from + limit > fails_at) throw new Error(`no events from revision ${fails_at} on`);
      return events.slice(from, from + limit);
    };

  const revisionsOf = async (pages: AsyncIterable<readonly Numbered[]>): Promise<number[][]> => {
    const found: number[][] = [];
    for await (const page of pages) found.push(page.map(({ revision }) => revision));
    return found;
  };

  it.each([
    [0, Infinity],
    [0, 999],
    [100, Infinity],
    [100, 163],
    [100, 164],
    [7, 7],
  ])('from %s to %s come in order, none twice', async (first, to) => {
    const found = await revisionsOf(pagesOf(reader(stream(1_000)), first, to));
    const last = Math.min(to, 999);
    expect(found.flat()).toEqual(Array.from({ length: last - first + 1 }, (_, at) => first + at));
    expect(asked.every(([from, limit]) => from + limit - 1 <= to)).toBe(true);
  });

  it('grow from a small first one, and shrink again where events are large', async () => {
    const events = stream(6_000, (revision) => (revision < 3_000 ? 10 : MIB / 100));
    const sizes: number[] = [];
    for await (const page of pagesOf(reader(events), 0, Infinity)) sizes.push(page.length);
    expect(sizes[0]).toBe(FIRST_PAGE);
    expect(Math.max(...sizes)).toBe(FOLD_PAGE);
    expect(sizes.at(-2)).toBeLessThan(FOLD_PAGE);
  });

  it('are as large as the store says', async () => {
    const sizes: number[] = [];
    for await (const page of pagesOf(reader(stream(6_000)), 0, Infinity, 2_000))
      sizes.push(page.length);
    expect(Math.max(...sizes)).toBe(2_000);
  });

  it('go on behind those that bring fewer events than there are', async () => {
    const whole = reader(stream(1_000));
    const short = async (from: number, limit: number) => (await whole(from, limit)).slice(0, 50);
    const found = await revisionsOf(pagesOf(short, 0, Infinity));
    expect(found.flat()).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  });

  it('come in order from a store that answers out of order, also behind those with fewer events', async () => {
    const whole = reader(stream(1_000));
    const later = async (from: number, limit: number) => {
      const page = await whole(from, limit);
      for (let turn = 0; turn < 1_000 - from; turn += 100) await new Promise(setImmediate);
      return from === 64 ? page.slice(0, 9) : page;
    };
    const found = await revisionsOf(pagesOf(later, 0, Infinity));
    expect(found.flat()).toEqual(Array.from({ length: 1_000 }, (_, at) => at));
  });

  it('are read while the one before is processed, two ahead at most', async () => {
    const pages = pagesOf(reader(stream(2_000)), 0, Infinity);
    for (let nth = 1; nth <= 3; nth++) {
      await pages.next();
      expect(asked).toHaveLength(nth + 2);
      expect(under_way).toBeGreaterThan(0);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      expect(asked).toHaveLength(nth + 2);
    }
    await pages.return();
  });

  it('of a short stream take two reads: one for its events, one for its end', async () => {
    expect(await revisionsOf(pagesOf(reader(stream(10)), 0, Infinity))).toHaveLength(1);
    expect(asked).toEqual([
      [0, FIRST_PAGE],
      [10, 20],
    ]);
  });

  it('that cannot be read fail when they are due, not before', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const pages = pagesOf(reader(stream(1_000), 100), 0, Infinity);
    const { value } = await pages.next();
    expect(value).toHaveLength(FIRST_PAGE);
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    await expect(pages.next()).rejects.toThrow('no events from revision 100 on');
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it.each([Infinity, 100])(
    'leave no read under way when their reader stops (reads fail at %s)',
    async (fails_at) => {
      const stopping = (async () => {
        for await (const _ of pagesOf(reader(stream(1_000), fails_at), 0, Infinity))
          throw new Error('too large');
      })();
      await expect(stopping).rejects.toThrow('too large');
      expect(asked).toHaveLength(3);
      expect(under_way).toBe(0);
    },
  );
});
