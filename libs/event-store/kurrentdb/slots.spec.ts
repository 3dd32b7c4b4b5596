import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { Slots } from './appender.js';

const LONGEST_MS = 1_000;

describe('slots', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Takes slots one after another and notes the order of turns. */
  function takers(most: number) {
    const slots = new Slots(most, LONGEST_MS);
    const came: string[] = [];
    const take = async (name: string): Promise<() => void> => {
      const release = await slots.take();
      came.push(name);
      return release;
    };
    return { came, take };
  }
  const settled = () => jest.advanceTimersByTimeAsync(0);

  it('are limited in number; waiting callers get the next in order', async () => {
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

  it('that are not released in time are reclaimed, once', async () => {
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
