import { jest } from '@jest/globals';
import { inTurns } from './turns.js';

describe('a long task', () => {
  let clock_ms = 0;
  beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => clock_ms));
  afterEach(() => void jest.restoreAllMocks());

  /** Steps of a millisecond in each turn of the event loop but the first two and the last, if all others take so long. */
  async function stepsBesideOthers(others_ms: number): Promise<number[]> {
    const in_turns: number[] = [0];
    let is_done = false;
    const others = (): void => {
      clock_ms += others_ms;
      in_turns.push(0);
      if (!is_done) setImmediate(others);
    };
    function* steps(): Generator<void> {
      for (let step = 0; step < 100; step++) {
        clock_ms += 1;
        in_turns[in_turns.length - 1]! += 1;
        yield;
      }
    }
    setImmediate(others);
    await inTurns(steps());
    is_done = true;
    return in_turns.filter((taken) => taken > 0).slice(2, -1);
  }

  it.each([
    ['one millisecond in a short turn', 1, 1],
    ['half as long as the others in a long turn', 6, 3],
    ['not more than ten milliseconds in a very long turn', 400, 10],
  ])('takes %s', async (_, others_ms, taken) => {
    const steps = await stepsBesideOthers(others_ms);
    expect(steps.length).toBeGreaterThan(5);
    expect(new Set(steps)).toEqual(new Set([taken]));
  });
});
