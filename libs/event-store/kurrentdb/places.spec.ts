import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { Places } from './appender.js';

const LONGEST_MS = 1_000;

describe('places', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Takes places one after another and notes whose turn came. */
  function takers(most: number) {
    const places = new Places(most, LONGEST_MS);
    const came: string[] = [];
    const take = async (name: string): Promise<() => void> => {
      const giveBack = await places.take();
      came.push(name);
      return giveBack;
    };
    return { came, take };
  }
  const settled = () => jest.advanceTimersByTimeAsync(0);

  it('are so many, and whoever waits gets the next in order', async () => {
    const { came, take } = takers(2);
    const [first] = await Promise.all([take('a'), take('b')]);
    const third = take('c');
    void take('d');
    await settled();
    expect(came).toEqual(['a', 'b']);
    first();
    first();
    await settled();
    expect(came).toEqual(['a', 'b', 'c']);
    (await third)();
    await settled();
    expect(came).toEqual(['a', 'b', 'c', 'd']);
  });

  it('that nobody gives back are taken back, once', async () => {
    const { came, take } = takers(1);
    const late = await take('a');
    void take('b');
    void take('c');
    await jest.advanceTimersByTimeAsync(LONGEST_MS - 1);
    expect(came).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    late();
    await settled();
    expect(came).toEqual(['a', 'b']);
  });
});
