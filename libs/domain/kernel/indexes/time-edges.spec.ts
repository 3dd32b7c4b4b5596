import fc from 'fast-check';
import { TimeEdges } from './time-edges.js';

describe('the edges of time windows', () => {
  it('start a new epoch when time goes back across an edge, and forth again', () => {
    const timeline = new TimeEdges();
    timeline.add(30);
    const epochs = [10, 40, 20, 20, 35, 40, 50, 50].map((now) => {
      timeline.pass(now);
      return timeline.epoch;
    });
    expect(epochs).toEqual([0, 1, 2, 2, 3, 3, 3, 3]);
  });

  it('start a new epoch whenever an edge lies between two times, and never without edges', () => {
    const times = fc.array(fc.integer({ min: 1, max: 50 }), { size: 'max', maxLength: 60 });
    fc.assert(
      fc.property(times, times, (edges, steps) => {
        const timeline = new TimeEdges();
        const added: number[] = [];
        for (const [at, now] of steps.entries()) {
          const edge = edges[at];
          // Half of them are known only after time has passed some.
          if (edge !== undefined && (at % 2 === 0 || edge > 25)) {
            timeline.add(edge);
            added.push(edge);
          }
          const before = timeline.epoch;
          timeline.pass(now);
          const was = at === 0 ? -Infinity : steps[at - 1]!;
          const [early, late] = [Math.min(was, now), Math.max(was, now)];
          const crosses = added.some((one) => one > early && one <= late);
          const is_new = timeline.epoch > before;
          expect(is_new || at === 0 || !crosses).toBe(true);
          expect(is_new && added.length === 0).toBe(false);
        }
      }),
    );
  });

  it('start one new epoch for each step of time that passes at least one edge', () => {
    const times = fc.array(fc.integer({ min: -1, max: 50 }), { size: 'max', maxLength: 60 });
    fc.assert(
      fc.property(times, times, (edges, steps) => {
        const timeline = new TimeEdges();
        for (const edge of edges) timeline.add(edge);
        let passed = -Infinity;
        for (const now of steps.toSorted((a, b) => a - b)) {
          const before = timeline.epoch;
          timeline.pass(now);
          const crosses = edges.some((edge) => edge > 0 && edge > passed && edge <= now);
          expect(timeline.epoch - before).toBe(crosses ? 1 : 0);
          passed = Math.max(passed, now);
        }
      }),
    );
  });

  it('are known to lie between two times, whichever times were passed before', () => {
    const times = fc.array(fc.integer({ min: 1, max: 50 }), { size: 'max', maxLength: 20 });
    const pair = fc.tuple(fc.nat(60), fc.nat(60));
    fc.assert(
      fc.property(times, times, pair, (edges, passed, [one, other]) => {
        const timeline = new TimeEdges();
        for (const [at, edge] of edges.entries()) {
          timeline.add(edge);
          if (passed[at] !== undefined) timeline.pass(passed[at]);
        }
        const [after, to] = [Math.min(one, other), Math.max(one, other)];
        const is_within = edges.some((edge) => edge > after && edge <= to);
        const may_be = timeline.mayBeWithin(after, to);
        expect(may_be || !is_within).toBe(true);
        // Exactly, as long as no time is passed.
        expect(may_be && !is_within && passed.length === 0).toBe(false);
      }),
    );
  });
});
