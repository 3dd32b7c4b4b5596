import fc from 'fast-check';
import { TimeEdges } from './time-edges.js';

describe('the edges of time windows', () => {
  it('raise the epoch once for every step of time that passes at least one of them', () => {
    const times = fc.array(fc.integer({ min: -1, max: 50 }), { size: 'max', maxLength: 60 });
    fc.assert(
      fc.property(times, times, (edges, steps) => {
        const timeline = new TimeEdges();
        for (const edge of edges) timeline.add(edge);
        let passed = -Infinity;
        for (const now of steps) {
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
