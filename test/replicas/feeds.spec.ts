import { setImmediate as nextTurn } from 'node:timers/promises';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { EventFeeds } from '../../libs/application/feed/feed.js';

const credential = { kind: 'signature', user_id: OWNER } as const;

describe('live feeds', () => {
  it('show nothing of a person who was erased while the listener did not read', async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    // More than is sent ahead of a listener.
    for (let nth = 0; nth < 14; nth++) await spec.note('n'.repeat(5_000));
    const fresh = { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann' };
    const ann = { id: 'UserID_ann', name: 'Anna Secret' };
    const { CreateContact, EraseContact } = contactCommands;
    await spec.run(CreateContact, { ...ann, fresh: { ...fresh, code: '', code_digest: '' } });
    const feeds = new EventFeeds(spec.drives);
    const stream = feeds.listen({ drive_id: DRIVE_A, credential }, -1, { heartbeat_ms: 60_000 });
    while (feeds.unread_bytes < 50_000) await nextTurn();
    spec.drives.release(DRIVE_A);
    expect(await spec.run(EraseContact, { id: ann.id })).toMatchObject({ data: { erased: true } });
    let text = '';
    for await (const chunk of stream) {
      text += String(chunk);
      if (text.includes('event: ContactErased')) break;
    }
    expect(text).toContain('event: ContactCreated');
    expect(text).toContain('[erased]');
    expect(text).not.toContain('Anna');
    await spec.drives.close();
  });

  it('end after what is unread, though commands go on', async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    await spec.note();
    const feeds = new EventFeeds(spec.drives);
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
