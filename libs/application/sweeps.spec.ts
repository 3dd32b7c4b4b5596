import { jest } from '@jest/globals';
import type { Contents } from '../engine/contents/contents.js';
import type { Drives } from '../engine/drives/drives.js';
import { ROLES } from '../engine/drives/role.js';
import { Sweeps } from './sweeps.js';

describe.each(['expired_items', 'content'] as const)('sweeping %s', (what) => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['by the process of a single-process installation, also on a shared store', ROLES.single, 2],
    ['by workers if several processes share the stores', ROLES.replica, 0],
  ])('is done %s', async (_, role, rounds) => {
    jest.useFakeTimers();
    const sweeps = new Sweeps({ role } as unknown as Drives, {} as unknown as Contents);
    jest.spyOn(sweeps.expired_items, 'sweep').mockResolvedValue();
    jest.spyOn(sweeps.content, 'sweep').mockResolvedValue();
    const { every_ms, sweep } = sweeps[what];
    sweeps.onApplicationBootstrap();
    jest.advanceTimersByTime(2 * every_ms);
    expect(sweep).toHaveBeenCalledTimes(rounds);
    await sweeps.beforeApplicationShutdown();
    jest.advanceTimersByTime(2 * every_ms);
    expect(sweep).toHaveBeenCalledTimes(rounds);
  });
});
