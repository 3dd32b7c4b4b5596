import * as fc from 'fast-check';
import { EventSequence, type Numbered } from './event-sequence.js';

/** A sequence over matching revisions, and how often it read. */
function sequenceOf(revisions: readonly number[]) {
  const reads: string[] = [];
  const sequence = new EventSequence<Numbered>(async ({ from, to }, end, limit) => {
    reads.push(`${from}-${to}`);
    const within = revisions.filter((one) => from <= one && one <= to);
    const page = end === 'first' ? within.slice(0, limit) : within.slice(-limit);
    return page.map((revision) => ({ revision }));
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
    await fc.assert(
      fc.asyncProperty(matching, asked, async (unsorted, questions) => {
        const revisions = unsorted.toSorted((a, b) => a - b);
        const { sequence } = sequenceOf(revisions);
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
