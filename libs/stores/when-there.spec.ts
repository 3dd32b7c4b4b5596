import { describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable } from '../event-store/kurrentdb/index.js';
import { MongoUnavailable } from '../mongodb/client.js';
import { whenThere } from './open.js';

const refused = new EventStoreUnavailable('the event store refuses the connection', true);

describe('a start whose stores are not there', () => {
  it('waits for them, and says so once', async () => {
    const failures: Error[] = [refused, new MongoUnavailable('MongoDB: no primary', true)];
    const waiting = jest.fn();
    const opened = await whenThere(
      async () => {
        const failure = failures.shift();
        if (failure) throw failure;
        return 'stores';
      },
      60_000,
      waiting,
    );
    expect(opened).toBe('stores');
    expect(waiting.mock.calls).toEqual([[refused.message]]);
  });

  it.each([
    ['without STORE_WAIT_MS', 0, refused],
    ['for what waiting does not mend', 60_000, new EventStoreUnavailable('no EventStoreDB', false)],
    ['for a wrong password', 60_000, new MongoUnavailable('wrong password', false)],
    ['for a bug', 60_000, new TypeError('a bug')],
  ])('ends at once %s', async (_, wait_ms, failure) => {
    const open = jest.fn<() => Promise<never>>().mockRejectedValue(failure);
    await expect(whenThere(open, wait_ms)).rejects.toBe(failure);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('ends with the last failure once the wait is over', async () => {
    const open = jest.fn<() => Promise<never>>().mockRejectedValue(refused);
    await expect(whenThere(open, 250)).rejects.toBe(refused);
    expect(open.mock.calls.length).toBeGreaterThan(1);
  });
});
