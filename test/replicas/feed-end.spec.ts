import { setImmediate as nextTurn } from 'node:timers/promises';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { EventFeeds } from '../../libs/application/feed/feed.js';

describe('live feeds', () => {
  it('end after what is unread, though commands go on', async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    await spec.note();
    const feeds = new EventFeeds(spec.drives);
    const credential = { kind: 'signature', user_id: OWNER } as const;
    const stream = feeds.listen({ drive_id: DRIVE_A, credential }, 0, { heartbeat_ms: 60_000 });
    while (feeds.unread_bytes < 100) await nextTurn();
    const unread_bytes = feeds.unread_bytes;
    feeds.end();
    await spec.note();
    await nextTurn();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    expect(Buffer.byteLength(text)).toBe(unread_bytes);
  });
});
