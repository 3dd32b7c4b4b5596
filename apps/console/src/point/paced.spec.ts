import { jest } from '@jest/globals';
import { paced } from './paced.js';

describe('paced values', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are handled at once, then the latest one after each pause', () => {
    const handled: number[] = [];
    const { push } = paced<number>(300, (value) => handled.push(value));
    push(1);
    expect(handled).toEqual([1]);
    for (let value = 2; value < 20; value++) {
      jest.advanceTimersByTime(50);
      push(value);
    }
    expect(handled).toEqual([1, 6, 12, 18]);
    jest.advanceTimersByTime(1_000);
    expect(handled).toEqual([1, 6, 12, 18, 19]);
    push(20);
    expect(handled.at(-1)).toBe(20);
  });

  it('that wait can be forgotten', () => {
    const handled: number[] = [];
    const { push, cancel } = paced<number>(300, (value) => handled.push(value));
    push(1);
    push(2);
    cancel();
    jest.advanceTimersByTime(1_000);
    expect(handled).toEqual([1]);
  });
});
