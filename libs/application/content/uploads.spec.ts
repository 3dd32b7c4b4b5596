import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { UploadInterrupted, Uploads, UploadsBusy } from './uploads.js';

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

  it('of one organization take three quarters of all places, which are free again afterwards', async () => {
    const shared = new Uploads(undefined as never, { ...limits, uploads_max: 4 });
    const { promise: sent, resolve: send } = Promise.withResolvers<void>();
    const begin = (drive_id: string) => shared.inPlace(drive_id, () => sent);
    const running = [begin('DriveID_a'), begin('DriveID_a'), begin('DriveID_a')];
    await expect(begin('DriveID_a')).rejects.toBeInstanceOf(UploadsBusy);
    running.push(begin('DriveID_b'));
    await expect(begin('DriveID_c')).rejects.toBeInstanceOf(UploadsBusy);
    send();
    await Promise.all(running);
    await begin('DriveID_a');
    expect(shared.in_progress).toBe(0);
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
      UploadsBusy,
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
});
