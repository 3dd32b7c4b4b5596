import type { ContentStore } from './port.js';
import { CONTENT_STORE_CASES } from './content-store.contract.js';

/** Accepts everything and has nothing. */
const EMPTY: ContentStore = {
  async write(_, source) {
    let bytes = 0;
    for await (const chunk of source) bytes += chunk.length;
    return bytes;
  },
  async *read() {},
  async size() {
    return undefined;
  },
  async delete() {},
  async list() {
    return [];
  },
  async drives() {
    return [];
  },
  async sweepUnfinished() {
    return 0;
  },
  async close() {},
};

it.each(CONTENT_STORE_CASES)('a store that stores nothing fails: $name', async ({ run }) => {
  await expect(run(EMPTY)).rejects.toMatchObject({ message: expect.any(String) });
});
