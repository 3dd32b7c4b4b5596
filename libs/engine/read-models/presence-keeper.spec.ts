import { DRIVE_A, EngineSpec, PEER } from '../testing/engine.js';
import type { PresenceKeeper } from './presence-keeper.js';

describe('the keeper of presence', () => {
  it('learns whom another process saw, whatever its timer begins with', async () => {
    const one = new EngineSpec({ role: PEER });
    await one.drives.start();
    await one.spawn();
    const two = await one.beside();
    const seen = (await one.drives.open(DRIVE_A)).presence;
    const { presence } = await two.drives.open(DRIVE_A);
    seen.touch('UserID_ann', one.now);
    // Every minute each process stores what it saw and reads what others did.
    for (const { drives } of [one, two]) {
      const { presence: keeper } = drives as unknown as { presence: PresenceKeeper };
      await keeper.flush();
      await keeper.refresh();
    }
    expect(presence.lastOnline('UserID_ann')).toBe(one.now);
    await one.drives.close();
    await two.drives.close();
  });
});
