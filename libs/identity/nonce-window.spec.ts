import * as fc from 'fast-check';
import { NonceWindow } from './nonce-window.js';

describe('nonce window', () => {
  it('accepts a nonce once while its token lives, its last millisecond included', () => {
    const window = new NonceWindow();
    expect(window.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(window.accept('a', 'n', 30_000, 0)).toBe(false);
    expect(window.accept('a', 'n', 30_000, 30_000)).toBe(false);
  });

  it('knows nonces per user', () => {
    const window = new NonceWindow();
    expect(window.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(window.accept('b', 'n', 30_000, 0)).toBe(true);
    expect(window.accept('a', 'm', 30_000, 0)).toBe(true);
    expect(window.accept('a', 'b n', 30_000, 0)).toBe(true);
  });

  it('refuses a dead token', () => {
    const window = new NonceWindow();
    expect(window.accept('a', 'n', 999, 1000)).toBe(false);
    expect(window.accept('a', 'n', 1000, 1000)).toBe(true);
  });

  it('takes the nonce again for a new token once the first has died', () => {
    const window = new NonceWindow();
    expect(window.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(window.accept('a', 'n', 60_000, 30_000)).toBe(false);
    expect(window.accept('a', 'n', 60_001, 30_001)).toBe(true);
    expect(window.accept('a', 'n', 60_001, 31_000)).toBe(false);
    expect(window.accept('a', 'n', 90_000, 60_001)).toBe(false);
    expect(window.accept('a', 'n', 90_000, 60_002)).toBe(true);
  });

  it('does not let a clock set back revive a dead token', () => {
    const window = new NonceWindow();
    expect(window.accept('a', 'n', 30_000, 0)).toBe(true);
    window.accept('b', 'n', 100_000, 80_000);
    expect(window.accept('a', 'n', 30_000, 0)).toBe(false);
  });

  it('refuses new nonces when full of living ones, and forgets none', () => {
    const window = new NonceWindow(2);
    expect(window.accept('a', '1', 10_000, 0)).toBe(true);
    expect(window.accept('a', '2', 20_000, 0)).toBe(true);
    expect(window.accept('a', '3', 30_000, 0)).toBe(false);
    expect(window.accept('a', '1', 10_000, 0)).toBe(false);
    expect(window.accept('a', '2', 20_000, 0)).toBe(false);
  });

  it('has room again for those that died, oldest first', () => {
    const window = new NonceWindow(2);
    window.accept('a', '1', 10_000, 0);
    window.accept('a', '2', 20_000, 0);
    expect(window.accept('a', '3', 40_000, 11_000)).toBe(true);
    expect(window.size).toBe(2);
    expect(window.accept('a', '2', 20_000, 11_000)).toBe(false);
    expect(window.accept('a', '4', 40_000, 11_000)).toBe(false);
    expect(window.accept('a', '4', 40_000, 21_000)).toBe(true);
  });

  it('holds no more than what lives and the last second', () => {
    const window = new NonceWindow(1000);
    for (let now_ms = 0; now_ms < 200_000; now_ms += 100) {
      expect(window.accept('a', `${now_ms}`, now_ms + 30_000, now_ms)).toBe(true);
      expect(window.size).toBeLessThanOrEqual(311);
    }
  });

  it('agrees with a plain list of all that was ever accepted', () => {
    const call = fc.record({
      nonce: fc.constantFrom('1', '2', '3'),
      lives_ms: fc.integer({ min: -500, max: 4000 }),
      step_ms: fc.integer({ min: -1500, max: 2500 }),
    });
    const calls = fc.array(call, { minLength: 50, maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(calls, (made) => {
        const window = new NonceWindow();
        const accepted: { nonce: string; expires_ms: number }[] = [];
        let now_ms = 0;
        let latest_ms = -Infinity;
        for (const { nonce, lives_ms, step_ms } of made) {
          now_ms += step_ms;
          latest_ms = Math.max(latest_ms, now_ms);
          const expires_ms = now_ms + lives_ms;
          const alive = accepted.some((a) => a.nonce === nonce && a.expires_ms >= latest_ms);
          const expected = expires_ms >= latest_ms && !alive;
          expect(window.accept('a', nonce, expires_ms, now_ms)).toBe(expected);
          if (expected) accepted.push({ nonce, expires_ms });
        }
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('cannot have the capacity %d', (capacity) => {
    expect(() => new NonceWindow(capacity)).toThrow(RangeError);
  });
});
