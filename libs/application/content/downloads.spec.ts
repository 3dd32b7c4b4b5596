import { jest } from '@jest/globals';
import { Downloads } from './downloads.js';
import { ContentBusy } from './places.js';

const LIMITS = { min_bytes_per_s: 1000, slow_ms: 30_000 };

describe('a download', () => {
  it.each([0, 1, 2])(
    'closes what it reads from when it is closed after %i chunks',
    async (chunks) => {
      let is_open = true;
      async function* read() {
        try {
          for (;;) yield new Uint8Array(1);
        } finally {
          is_open = false;
        }
      }
      const downloads = new Downloads({ read } as never, undefined as never, 1, LIMITS);
      const content = { content_id: 'ContentID_a', sha256: '' };
      const range = { first: 0, size: 9 } as never;
      const given = (await downloads.read(
        'DriveID_a',
        content as never,
        range,
      )) as AsyncIterable<Uint8Array>;
      const iterator = given[Symbol.asyncIterator]();
      for (let nth = 0; nth < chunks; nth++) await iterator.next();
      expect([is_open, downloads.in_progress]).toEqual([true, 1]);
      await iterator.return!();
      expect([is_open, downloads.in_progress]).toEqual([false, 0]);
    },
  );

  it('is in progress until its content ends, fails or cannot be opened; no more than the maximum are', async () => {
    const failure = new Error('damaged');
    async function* read({ content_id }: { content_id: string }) {
      if (content_id === 'unreadable') throw failure;
      yield new Uint8Array(1);
      if (content_id === 'damaged') throw failure;
    }
    const downloads = new Downloads({ read } as never, undefined as never, 6, LIMITS);
    const begin = (content_id: string, drive_id = 'DriveID_a') =>
      downloads.read(drive_id, { content_id } as never, {} as never);
    const drain = async (bytes: unknown) => {
      for await (const _ of bytes as AsyncIterable<Uint8Array>);
    };
    await expect(begin('unreadable')).rejects.toBe(failure);
    expect(downloads.in_progress).toBe(0);
    const [first, damaged] = [await begin('whole'), await begin('damaged'), await begin('whole')];
    await expect(begin('whole')).rejects.toBeInstanceOf(ContentBusy);
    for (const drive_id of ['DriveID_b', 'DriveID_b', 'DriveID_c']) await begin('whole', drive_id);
    await expect(begin('whole', 'DriveID_d')).rejects.toBeInstanceOf(ContentBusy);
    await drain(first);
    await expect(drain(damaged)).rejects.toBe(failure);
    expect(downloads.in_progress).toBe(4);
    await begin('whole');
  });

  it('loses its place to another organization while its client is slow', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      async function* read() {
        for (;;) yield new Uint8Array(100_000);
      }
      const downloads = new Downloads({ read } as never, undefined as never, 1, LIMITS);
      const ended: string[] = [];
      const begin = async (drive_id: string) => {
        const evict = (): void => void ended.push(drive_id);
        const bytes = await downloads.read(drive_id, {} as never, {} as never, evict);
        return (bytes as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      };
      const first = await begin('DriveID_a');
      const take = async (): Promise<void> => {
        await first.next();
        jest.advanceTimersByTime(5000);
      };
      for (let nth = 0; nth < 20; nth++) await take();
      await expect(begin('DriveID_b')).rejects.toBeInstanceOf(ContentBusy);
      jest.advanceTimersByTime(30_000 + LIMITS.slow_ms / 2);
      const second = await begin('DriveID_b');
      expect([ended, downloads.in_progress]).toEqual([['DriveID_a'], 1]);
      await first.return!();
      expect(downloads.in_progress).toBe(1);
      await second.return!();
      expect(downloads.in_progress).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
