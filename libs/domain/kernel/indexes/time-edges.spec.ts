import fc from 'fast-check';
import { TimeEdges } from './time-edges.js';

describe('the edges of time windows', () => {
  it('start a new epoch whenever another past time is queried', () => {
    const timeline = new TimeEdges();
    timeline.add(30);
    const epochs = [10, 40, 20, 20, 35, 40, 50, 50].map((now) => {
      timeline.pass(now);
      return timeline.epoch;
    });
    expect(epochs).toEqual([0, 1, 2, 2, 3, 4, 4, 4]);
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
});
