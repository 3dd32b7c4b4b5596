import { EventsUnusable, StoreUnusable } from '../../event-store/port.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';

const SAYS = 'events.db is damaged or not a database: restore it from a backup';

describe('loading a drive whose events cannot be read', () => {
  let next: EngineSpec;

  beforeEach(async () => {
    const spec = new EngineSpec();
    await spec.spawn();
    await spec.note();
    next = spec.restarted();
  });
  const openWith = (error: Error) => {
    next.events.onFold(() => Promise.reject(error));
    return next.drives.open(DRIVE_A);
  };

  it('reports a damaged file of events until the drive can be loaded', async () => {
    await expect(openWith(new EventsUnusable(SAYS))).rejects.toMatchObject({ reason: 'broken' });
    expect(next.drives.damaged.all()).toEqual([
      { drive_id: DRIVE_A, kind: 'broken', says: `${SAYS}.` },
    ]);
    await next.drives.open(DRIVE_A);
    expect(next.drives.damaged.all()).toEqual([]);
  });

  it('says nothing about the stream where another file is unusable', async () => {
    await expect(openWith(new StoreUnusable('tiles.db is damaged'))).rejects.toThrow('tiles.db');
    expect(next.drives.damaged.all()).toEqual([]);
  });
});
