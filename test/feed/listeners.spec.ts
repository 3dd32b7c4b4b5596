import { once } from 'node:events';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { EventFeeds } from '../../libs/application/feed/feed.js';

describe('a live feed', () => {
  let spec: EngineSpec;
  let feeds: EventFeeds;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    feeds = new EventFeeds(spec.drives);
  });
  const listen = (from: number, heartbeat_ms = 20) =>
    feeds.listen({ drive_id: DRIVE_A, credential: { kind: 'signature', user_id: OWNER } }, from, {
      heartbeat_ms,
    });

  it('disconnects a listener that reads nothing, and keeps nothing for it', async () => {
    const stream = listen(-1);
    const closed = once(stream, 'close');
    for (let at = 0; at < 40; at++) await spec.note('x'.repeat(50_000));
    await closed;
    expect(stream.readableLength).toBeLessThan(2 * 1024 * 1024 + 50_000);
    expect(feeds.size).toBe(0);
  });

  it('is told of events that another process appended, by the next heartbeat', async () => {
    const rival = spec.restarted();
    const stream = listen((await spec.drives.open(DRIVE_A)).head.revision);
    const { revision } = await rival.note('theirs');
    let text = '';
    for await (const piece of stream) {
      text += String(piece);
      if (text.includes('id: ')) break;
    }
    expect(text).toContain(`id: ${revision}\nevent: InboxNotified`);
  });

  it('is forgotten when its listener goes', async () => {
    const stream = listen(0);
    expect(feeds.size).toBe(1);
    stream.destroy();
    await once(stream, 'close');
    expect([feeds.size, spec.drives.advances.observed]).toEqual([0, false]);
  });
});
