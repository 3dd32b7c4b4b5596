import { jest } from '@jest/globals';
import type { Drives } from '../../engine/drives/drives.js';
import { ROLES } from '../../engine/drives/role.js';
import { ExpirySweep, SWEEP_EVERY_MS } from './sweep.js';

describe('sweeping what has expired', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['by a process that is alone, also on a server that it follows', ROLES.single, 2],
    ['by workers where several share the stores', ROLES.replica, 0],
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
