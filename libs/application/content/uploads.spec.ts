import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { UploadInterrupted, Uploads } from './uploads.js';

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
});
