import * as fc from 'fast-check';
import { EventSequence, type Numbered } from './event-sequence.js';

/** A sequence over matching revisions, and how often it read. @param most events on a page, as if they were long */
function sequenceOf(revisions: readonly number[], most = Infinity) {
  const reads: string[] = [];
  const sequence = new EventSequence<Numbered>(async ({ from, to }, end, limit) => {
    reads.push(`${from}-${to}`);
    const within = revisions.filter((one) => from <= one && one <= to);
    const count = Math.min(limit, most);
    const page = end === 'first' ? within.slice(0, count) : within.slice(-count);
    const events = page.map((revision) => ({ revision }));
    return { events, has_all: page.length === within.length };
  });
  return { sequence, reads };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a sequence of events', () => {
  it('finds the next and the previous matching event from anywhere', async () => {
    const matching = fc.uniqueArray(fc.nat(400), { maxLength: 300, size: 'max' });
    const asked = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -2, max: 410 })), {
      minLength: 1,
      maxLength: 30,
      size: 'max',
    });
    const pages = fc.constantFrom(Infinity, 20, 1);
    await fc.assert(
      fc.asyncProperty(matching, asked, pages, async (unsorted, questions, most) => {
        const revisions = unsorted.toSorted((a, b) => a - b);
        const { sequence } = sequenceOf(revisions, most);
        for (const [is_up, revision] of questions) {
          const found = is_up
            ? await sequence.firstFrom(Math.max(0, revision), 400)
            : await sequence.lastUpTo(Math.min(400, revision));
          const expected = is_up
            ? revisions.find((one) => one >= revision)
            : revisions.findLast((one) => one <= revision);
          expect(found?.revision).toBe(expected);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([1, 7, 49])('finds all of 100 events if pages end after %i', async (most) => {
    const revisions = Array.from({ length: 100 }, (_, at) => at);
    const up = sequenceOf(revisions, most).sequence;
    const down = sequenceOf(revisions, most).sequence;
    for (const at of revisions) expect((await up.firstFrom(at, 99))?.revision).toBe(at);
    for (const at of revisions.toReversed()) expect((await down.lastUpTo(at))?.revision).toBe(at);
    const { sequence } = sequenceOf(revisions, most);
    expect((await sequence.lastUpTo(99))?.revision).toBe(99);
    expect((await sequence.firstFrom(0, 99))?.revision).toBe(0);
    expect((await sequence.lastUpTo(50))?.revision).toBe(50);
  });

  it('reads a page for many steps, before they arrive at its end', async () => {
    const { sequence, reads } = sequenceOf(Array.from({ length: 1000 }, (_, at) => at));
    for (let at = 0; at < 200; at++) {
      expect((await sequence.firstFrom(at, 999))?.revision).toBe(at);
      await settled();
    }
    expect(reads).toEqual(['0-999', '50-999', '100-999', '150-999', '200-999']);
    for (let at = 199; at >= 0; at--) await sequence.lastUpTo(at);
    expect(reads).toHaveLength(5);
    expect(sequence.known(120)).toEqual({ revision: 120 });
    expect(sequence.known(990)).toBeUndefined();
  });

  it('sees events that were added at the end', async () => {
    const revisions = [0, 1, 2];
    const { sequence } = sequenceOf(revisions);
    expect(await sequence.firstFrom(3, 2)).toBeNull();
    expect((await sequence.lastUpTo(2))?.revision).toBe(2);
    revisions.push(3);
    expect((await sequence.firstFrom(3, 3))?.revision).toBe(3);
  });

  it('reads the same only once at a time', async () => {
    const { sequence, reads } = sequenceOf([5]);
    await Promise.all([sequence.firstFrom(0, 9), sequence.firstFrom(0, 9)]);
    expect(reads).toEqual(['0-9']);
  });
});
