import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec, Note, PEER } from '../../libs/engine/testing/engine.js';
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

  it('of a hundred that read nothing leaves no more unread than they may together', async () => {
    for (let at = 0; at < 30; at++) await spec.note('x'.repeat(20_000));
    const budget = 1024 * 1024;
    let most = 0;
    const open = Array.from({ length: 100 }, () =>
      feeds.listen({ drive_id: DRIVE_A, credential: { kind: 'signature', user_id: OWNER } }, -1, {
        heartbeat_ms: 600_000,
        all_unread_bytes: budget,
      }),
    );
    for (const stream of open) {
      const push = stream.push.bind(stream);
      stream.push = (piece) => {
        const has_room = push(piece);
        most = Math.max(most, feeds.unread_bytes);
        return has_room;
      };
    }
    // Each may have 50 KiB unread; there is room for 20 of them.
    let closed = 0;
    await new Promise<void>((resolve) => {
      for (const stream of open) stream.once('close', () => ++closed === 75 && resolve());
    });
    expect(most).toBeGreaterThan(budget / 2);
    expect(most).toBeLessThanOrEqual(budget + 25_000);
    expect(feeds.unread_bytes).toBeLessThanOrEqual(budget);
    expect(feeds.size).toBeLessThanOrEqual(25);
  });

  it('reads each event once for all who listen from the beginning', async () => {
    for (let at = 0; at < 200; at++) await spec.note(at);
    const { revision } = (await spec.drives.open(DRIVE_A)).head;
    let folded = 0;
    const texts = Array.from({ length: 20 }, async () => {
      const stream = feeds.listen(
        { drive_id: DRIVE_A, credential: { kind: 'signature', user_id: OWNER } },
        -1,
        { heartbeat_ms: 600_000, folded: (events) => (folded += events) },
      );
      let text = '';
      for await (const piece of stream) {
        text += String(piece);
        if (text.includes(`id: ${revision}\n`)) break;
      }
      return text;
    });
    const [first, ...others] = (await Promise.all(texts)).map((text) =>
      text.slice(0, text.indexOf(`id: ${revision}\n`)).replaceAll(/^:\n\n/gm, ''),
    );
    expect(first!.match(/^id: \d+$/gm)).toHaveLength(revision);
    for (const other of others) expect(other).toBe(first);
    // Not once for each page of each listener.
    expect(folded).toBeLessThanOrEqual(3 * revision);
  });

  it('is told of events that another process appended, by the next heartbeat', async () => {
    // Without a subscription: only its heartbeat looks for events.
    const { store: events } = spec.events;
    const follower = new EngineSpec({ role: PEER, events, side: spec.side });
    feeds = new EventFeeds(follower.drives);
    const stream = listen((await follower.drives.open(DRIVE_A)).head.revision);
    const { revision } = await spec.note('theirs');
    let text = '';
    for await (const piece of stream) {
      text += String(piece);
      if (text.includes('id: ')) break;
    }
    expect(text).toContain(`id: ${revision}\nevent: InboxNotified`);
  });

  it('is woken by appends of its organization only, and by none when its listener has gone', async () => {
    const other = 'DriveID_other';
    await spec.spawn(other);
    const { head } = await spec.drives.open(DRIVE_A);
    const stream = listen(head.revision, 600_000);
    const heard = once(stream, 'data');
    stream.resume();
    await heard;
    // A listener that is woken opens its drive.
    const open = jest.spyOn(spec.drives, 'open');
    const opened = () => open.mock.calls.filter(([drive_id]) => drive_id === DRIVE_A).length;
    await spec.run(Note, { payload: 'elsewhere' }, { drive_id: other });
    await nextTurn();
    expect(opened()).toBe(0);
    const told = once(stream, 'data');
    await spec.note();
    await told;
    expect(opened()).toBeGreaterThan(0);
    stream.destroy();
    await once(stream, 'close');
    expect([feeds.size, feeds['by_drive'].size]).toEqual([0, 0]);
    open.mockClear();
    await spec.note();
    await nextTurn();
    expect(opened()).toBe(0);
  });
});
