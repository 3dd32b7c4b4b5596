import { jest } from '@jest/globals';
import { MemoryPartitionLeases } from '../../event-store/memory/index.js';
import { StoreUnavailable } from '../../event-store/port.js';
import { ROLES } from '../drives/role.js';
import { DurableModel } from '../testing/durable-model.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';
import { hooked, Receivers, webhooksOf } from '../testing/webhooks.js';
import { Worker } from '../worker/worker.js';
import { Rewound, WebhookFollower } from './follower.js';
import type { Webhooks } from './webhooks.js';

const A = 'https://a.example/';

interface Process {
  readonly spec: EngineSpec;
  readonly worker: Worker;
  readonly webhooks: Webhooks;
}

describe('webhooks of a worker', () => {
  let receivers: Receivers;
  let api: EngineSpec;
  let api_webhooks: Webhooks;
  let model: DurableModel | undefined;
  let leases: MemoryPartitionLeases;
  let process: Process;

  const start = async (owner: string): Promise<Process> => {
    const spec = new EngineSpec({
      ...{ events: api.events.store, side: api.side, role: ROLES.worker },
      ...(model && { read_model: model }),
    });
    spec.now = api.now;
    const webhooks = webhooksOf(spec, receivers);
    await spec.drives.start();
    const worker = new Worker({
      ...{ drives: spec.drives, leases, owner },
      ...{ partitions: 4, lease_ms: 9_000_000, report: () => {} },
      taken: () => void webhooks.start(),
    });
    await worker.start();
    await worker.share();
    return { spec, worker, webhooks };
  };
  const stop = async ({ spec, worker, webhooks }: Process): Promise<void> => {
    await worker.close();
    await webhooks.close();
    await spec.drives.close();
  };
  /** Stores an event. @returns true once its delivery has arrived, without another event after it */
  const isToldOfNext = async (): Promise<boolean> => {
    await api.note();
    const { revision } = (await api.events.head(`drive-${DRIVE_A}`))!;
    const told = () => receivers.at(A).map((body) => body.payload.after.data.revision as number);
    await eventually(() => told().at(-1) === revision);
    return true;
  };
  const begin = async (durable: DurableModel | undefined): Promise<void> => {
    model = durable;
    receivers = new Receivers();
    leases = new MemoryPartitionLeases();
    const role = durable ? ROLES.replica : ROLES.indexing_replica;
    api = new EngineSpec({ ...(durable && { read_model: durable }), role });
    await api.drives.start();
    api_webhooks = webhooksOf(api, receivers);
    await api_webhooks.start();
    process = await start('one');
    await api.spawn();
    await hooked(api, A);
  };
  afterEach(async () => {
    await stop(process);
    await api_webhooks.close();
    await api.drives.close();
  });

  it.each(['memory', 'durable'])(
    'tell of the event that made it load an organization, with its read model in %s',
    async (kind) => {
      await begin(kind === 'durable' ? new DurableModel(SPEC_SCHEMA) : undefined);
      expect(await isToldOfNext()).toBe(true);
      await process.worker.share();
      await stop(process);
      process = await start('two');
      await process.webhooks.idle();
      expect(process.spec.drives.loaded(DRIVE_A)).toBeUndefined();
      expect(await isToldOfNext()).toBe(true);
    },
  );

  it('ask once more whether the stream was rewound, as a server may give an old answer', async () => {
    await begin(undefined);
    expect(await isToldOfNext()).toBe(true);
    await process.worker.share();
    await stop(process);
    process = await start('two');
    const at = jest.spyOn(WebhookFollower, 'at');
    at.mockRejectedValueOnce(new Rewound('revision 2 is not the event it was'));
    expect(await isToldOfNext()).toBe(true);
    expect(at).toHaveBeenCalledTimes(2);
    const quarantined = () => api.side.jobs.quarantinedReactors(9);
    expect(await quarantined()).toEqual([]);
    at.mockRejectedValue(new Rewound('revision 3 is not the event it was'));
    await process.worker.share();
    await stop(process);
    process = await start('three');
    await api.note();
    await eventually(async () => (await quarantined()).length === 1);
    at.mockRestore();
  });

  it('tell of an event though its documents could not be written at once', async () => {
    const durable = new DurableModel(SPEC_SCHEMA);
    await begin(durable);
    expect(await isToldOfNext()).toBe(true);
    let failures = 1;
    durable.before_apply = () => {
      if (failures-- > 0) throw new StoreUnavailable('away');
    };
    expect(await isToldOfNext()).toBe(true);
    expect(failures).toBeLessThan(1);
  });
});
