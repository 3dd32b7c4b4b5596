import { jest } from '@jest/globals';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { ContentBusy } from './places.js';
import { UploadInterrupted, Uploads, UploadTooSlow } from './uploads.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('uploads', () => {
  // No store: these cases are of what passes through.
  const limits = { uploads_max: 1, min_bytes_per_s: 0, slow_ms: 1000 };
  const uploads = new Uploads(undefined as never, limits);

  it('keep no chunk in memory that was passed on', async () => {
    const passed: WeakRef<Uint8Array>[] = [];
    async function* source() {
      for (let nth = 0; nth < 100; nth++) {
        await delay(0);
        yield new Uint8Array(1000);
      }
    }
    for await (const chunk of uploads.inTime(source())) {
      passed.push(new WeakRef(chunk));
      if (passed.length < 100) continue;
      await delay(0);
      collectGarbage();
      const held = passed.filter((ref) => ref.deref() !== undefined);
      expect(held.length).toBeLessThan(10);
    }
    expect(passed).toHaveLength(100);
  });

  it('let other requests be answered between chunks that are all there', async () => {
    async function* source() {
      for (let nth = 0; nth < 20; nth++) yield new Uint8Array(1000);
    }
    let turns = 0;
    let is_over = false;
    const turn = (): void => {
      turns++;
      if (!is_over) setImmediate(turn);
    };
    setImmediate(turn);
    let chunks = 0;
    for await (const chunk of uploads.inTime(source())) chunks += chunk.length / 1000;
    is_over = true;
    expect(chunks).toBe(20);
    expect(turns).toBeGreaterThanOrEqual(18);
  });

  it('end when another request interrupts them, though no byte comes', async () => {
    const interruption = new AbortController();
    async function* source() {
      yield new Uint8Array(1);
      await new Promise(() => {});
    }
    const chunks = uploads.inTime(source(), interruption.signal);
    expect((await chunks.next()).value).toHaveLength(1);
    const next = chunks.next();
    interruption.abort();
    await expect(next).rejects.toBeInstanceOf(UploadInterrupted);
  });

  it('count and are refused in a dry run as otherwise', async () => {
    const { promise: sent, resolve: send } = Promise.withResolvers<void>();
    async function* source() {
      await sent;
      yield new Uint8Array(3);
    }
    const announced = { room_bytes: 3 };
    const first = uploads.receive('DriveID_1', source(), announced, true);
    expect(uploads.in_progress).toBe(1);
    await expect(uploads.receive('DriveID_1', source(), announced, true)).rejects.toBeInstanceOf(
      ContentBusy,
    );
    send();
    expect(await first).toMatchObject({ size: 3, sha256: sha256Hex(new Uint8Array(3)) });
    const large = await uploads.receive('DriveID_1', source(), { room_bytes: 3, size: 4 }, true);
    expect(large).toMatchObject({ refusal: 'content-too-large' });
    expect(await uploads.receive('DriveID_1', source(), { room_bytes: 2 }, true)).toMatchObject({
      refusal: 'content-too-large',
    });
    const other = await uploads.receive('DriveID_1', source(), { ...announced, sha256: 'x' }, true);
    expect(other).toMatchObject({ refusal: 'content-mismatch' });
    expect(uploads.in_progress).toBe(0);
  });

  describe('with a minimum speed', () => {
    const timed = new Uploads(undefined as never, { ...limits, min_bytes_per_s: 10 });
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
    afterEach(() => void jest.useRealTimers());

    /** Bytes that come one by one, each some time after it is asked for. */
    async function* slow(after_ms: number): AsyncGenerator<Uint8Array> {
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, after_ms));
        yield new Uint8Array(1);
      }
    }

    it('go on after the store has taken no bytes for some time', async () => {
      async function* source() {
        for (let nth = 0; nth < 3; nth++) yield new Uint8Array(1);
      }
      let bytes = 0;
      for await (const chunk of timed.inTime(source())) {
        bytes += chunk.length;
        await jest.advanceTimersByTimeAsync(10 * limits.slow_ms);
      }
      expect(bytes).toBe(3);
    });

    it('lose the place to another organization if they are slow', async () => {
      const first = timed.receive('DriveID_a', slow(50), { room_bytes: 1000 }, true);
      const lost = first.catch((error: unknown) => error);
      async function* one() {
        yield new Uint8Array(1);
      }
      const other = () => timed.receive('DriveID_b', one(), { room_bytes: 1 }, true);
      await nextTurn();
      await expect(other()).rejects.toBeInstanceOf(ContentBusy);
      for (let waited = 0; waited < limits.slow_ms / 2; waited += 50) {
        await jest.advanceTimersByTimeAsync(50);
        await nextTurn();
      }
      expect(timed.in_progress).toBe(1);
      await expect(
        timed.receive('DriveID_a', one(), { room_bytes: 1 }, true),
      ).rejects.toBeInstanceOf(ContentBusy);
      expect(await other()).toMatchObject({ size: 1 });
      expect(await lost).toBeInstanceOf(UploadTooSlow);
      expect(timed.in_progress).toBe(0);
    });

    it.each([
      [5000, 0],
      [150, 6],
      [50, 100],
    ])('from which a byte comes every %i ms end after %i bytes', async (after_ms, expected) => {
      const chunks = timed.inTime(slow(after_ms));
      let bytes = 0;
      let failure: unknown;
      while (bytes < 100 && !failure) {
        const next = chunks.next().then(
          () => bytes++,
          (error: unknown) => (failure = error),
        );
        await nextTurn();
        await jest.advanceTimersByTimeAsync(after_ms);
        await next;
      }
      expect(bytes).toBe(expected);
      expect(failure instanceof UploadTooSlow).toBe(expected < 100);
    });
  });
});
