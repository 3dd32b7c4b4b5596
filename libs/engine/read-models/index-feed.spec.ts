import type { EventWithMetadata } from '../../event-store/port.js';
import { entriesIn } from '../../event-store/event-index.js';
import { IndexFeed } from './index-feed.js';

const MIB = 1024 * 1024;

describe('the feed of an event index', () => {
  const event = (revision: number, bytes: number): EventWithMetadata => ({
    ...{ revision, event_id: `e${revision}`, type: 'GroupCreated', timestamp_ms: 1, data: '{}' },
    hash: new Uint8Array(32).fill(revision),
    metadata: JSON.stringify({ reason: 'x'.repeat(bytes) }),
  });

  it('passes events on in chunks that are bounded by their number and their size', async () => {
    const chunks: number[][] = [];
    const index = {
      append_events: 4,
      async append(_: string, text: Uint8Array) {
        chunks.push(entriesIn(text).map(([revision]) => revision));
      },
    };
    const feed = new IndexFeed(index, 'i', null);
    const sizes = [1, 1, 1, 1, 3 * MIB, 3 * MIB, 3 * MIB, 1, 9 * MIB, 1];
    for (const [revision, bytes] of sizes.entries())
      feed.note([{ family: 'groups', id: 'g' }], event(revision, bytes));
    expect(await feed.end()).toEqual({ revision: 9, event_hash: new Uint8Array(32).fill(9) });
    expect(chunks).toEqual([[0, 1, 2, 3], [4, 5, 6], [7, 8], [9]]);
  });
});
