import { jest } from '@jest/globals';
import type { Drives } from '../../engine/drives/drives.js';
import { ROLES } from '../../engine/drives/role.js';
import { ExpirySweep, SWEEP_EVERY_MS } from './sweep.js';

describe('sweeping expired items', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['by the process of a single-process installation, also on a shared store', ROLES.single, 2],
    ['by workers if several processes share the stores', ROLES.replica, 0],
  ])('is done %s', async (_, role, rounds) => {
    jest.useFakeTimers();
    const expiry = new ExpirySweep({ role } as unknown as Drives);
    const sweep = jest.spyOn(expiry, 'sweep').mockResolvedValue();
    expiry.onApplicationBootstrap();
    jest.advanceTimersByTime(2 * SWEEP_EVERY_MS);
    expect(sweep).toHaveBeenCalledTimes(rounds);
    await expiry.beforeApplicationShutdown();
  });
});
