import { SideStoreUnreachable, StoreUnreachable } from '../../event-store/port.js';
import { KeyDoesNotOpen } from '../../event-store/stores.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { type StreamReport, verifyFolder } from './folder.js';

describe('verifying stores', () => {
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    await spec.group('Group');
  });

  const verified = async (): Promise<readonly StreamReport[]> => {
    const { events, side } = spec;
    const reports: StreamReport[] = [];
    for await (const report of verifyFolder({ events, side, drive_ids: [DRIVE_A] }))
      reports.push(report);
    return reports;
  };
  /** The first read of a key fails. */
  const failKey = (error: Error): void => {
    const { keys } = spec.side;
    const get = keys.get.bind(keys);
    keys.get = async () => {
      keys.get = get;
      throw error;
    };
  };

  it('is no verdict about keys while their server is unreachable', async () => {
    failKey(new SideStoreUnreachable('MongoDB is unavailable'));
    await expect(verified()).rejects.toThrow(SideStoreUnreachable);
    expect(await verified()).toMatchObject([{ valid: true, checked_events: 2 }]);
  });

  it('names a key that does not open', async () => {
    failKey(new KeyDoesNotOpen('it does not open'));
    const reason = expect.stringContaining('was not stored by this service') as string;
    expect(await verified()).toMatchObject([{ valid: false, reason }]);
  });

  it('is no verdict about streams while their server is unreachable', async () => {
    spec.events.head = async () => {
      throw new StoreUnreachable('the event store is unreachable');
    };
    await expect(verified()).rejects.toThrow(StoreUnreachable);
  });
});
