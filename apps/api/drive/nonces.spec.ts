import { MemorySideStores } from '../../../libs/event-store/memory/side-stores.js';
import { Nonces } from './nonces.js';

describe('the nonces of signed tokens', () => {
  it('are accepted once while the token is valid, its last millisecond included', async () => {
    const nonces = new Nonces(new MemorySideStores().nonces);
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(await nonces.accept('a', 'n', 30_000, 30_000)).toBe(false);
    expect(await nonces.accept('a', 'm', 30_000, 30_000)).toBe(true);
    expect(await nonces.accept('a', 'l', 30_000, 30_001)).toBe(false);
    expect(await nonces.accept('a', 'n', 60_001, 30_001)).toBe(true);
  });

  it('are those of one user', async () => {
    const nonces = new Nonces(new MemorySideStores().nonces);
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(await nonces.accept('b', 'n', 30_000, 0)).toBe(true);
    expect(await nonces.accept('a', 'b n', 30_000, 0)).toBe(true);
  });

  it('of an expired token are refused, also after the clock was set back', async () => {
    const nonces = new Nonces(new MemorySideStores().nonces);
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(await nonces.accept('b', 'n', 100_000, 80_000)).toBe(true);
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(false);
    expect(await nonces.accept('a', 'n', 90_000, 0)).toBe(true);
    expect(await nonces.accept('b', 'n', 100_000, 0)).toBe(false);
  });

  it('of now are accepted after a clock was far ahead', async () => {
    const nonces = new Nonces(new MemorySideStores().nonces);
    const ahead_ms = 5 * 3_600_000;
    expect(await nonces.accept('a', 'n', ahead_ms + 30_000, ahead_ms)).toBe(true);
    expect(await nonces.accept('a', 'm', 30_000, 0)).toBe(true);
    expect(await nonces.accept('a', 'm', 30_000, 0)).toBe(false);
  });

  it('may be used again if they could not be counted', async () => {
    const { nonces: store } = new MemorySideStores();
    let fails = true;
    const nonces = new Nonces({
      async use(...nonce) {
        if (fails) throw new Error('the disk is gone');
        return store.use(...nonce);
      },
    });
    await expect(nonces.accept('a', 'n', 30_000, 0)).rejects.toMatchObject({
      reason: 'store-failed',
    });
    fails = false;
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(true);
    expect(await nonces.accept('a', 'n', 30_000, 0)).toBe(false);
  });
});
