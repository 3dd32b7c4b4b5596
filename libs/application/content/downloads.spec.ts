import { Downloads } from './downloads.js';

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
      const downloads = new Downloads({ read } as never, undefined as never);
      const content = { content_id: 'ContentID_a', sha256: '' };
      const range = { first: 0, size: 9 } as never;
      const given = (await downloads.read(
        'DriveID_a',
        content as never,
        range,
      )) as AsyncIterable<Uint8Array>;
      const iterator = given[Symbol.asyncIterator]();
      for (let nth = 0; nth < chunks; nth++) await iterator.next();
      expect(is_open).toBe(true);
      await iterator.return!();
      expect(is_open).toBe(false);
    },
  );
});
