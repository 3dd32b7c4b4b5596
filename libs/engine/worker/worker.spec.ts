import { jest } from '@jest/globals';
import { Drives } from '../drives/drives.js';
import { ROLES } from '../drives/role.js';
import { MemoryPartitionLeases } from '../../event-store/memory/index.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import { StoreUnavailable, StreamDeleted } from '../../event-store/port.js';
import { Unavailable } from '../writer/call.js';
import { DurableModel } from '../testing/durable-model.js';
import { EngineSpec, SPEC_SCHEMA } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';
import { Partitions } from './partitions.js';
import { Worker } from './worker.js';

const LEASE_MS = 600_000;
const DRIVES = ['DriveID_1', 'DriveID_2', 'DriveID_3', 'DriveID_4'];

interface Process {
  readonly spec: EngineSpec;
  readonly worker: Worker;
}

describe('workers on shared stores', () => {
  let model: DurableModel;
  let leases: MemoryPartitionLeases;
  let api: EngineSpec;
  let running: Process[];
  let reports: string[];
  let times_taken: number;

  const start = async (owner: string, partitions = 8, lease_ms = LEASE_MS): Promise<Process> => {
    const spec = new EngineSpec({
      ...{ events: api.events.store, side: api.side, read_model: model, role: ROLES.worker },
    });
    spec.now = api.now;
    await spec.drives.start();
    const worker = new Worker({
      ...{ drives: spec.drives, leases, owner, partitions, lease_ms },
      report: (what) => reports.push(what),
      taken: () => (times_taken += 1),
    });
    const started = { spec, worker };
    running.push(started);
    await worker.start();
    return started;
  };
  const stop = async ({ spec, worker }: Process): Promise<void> => {
    running = running.filter((one) => one.worker !== worker);
    await worker.close();
    await spec.drives.close();
  };
  /** Ends as by a crash: nothing is given back. */
  const crash = async ({ spec }: Process): Promise<void> => {
    running = running.filter((one) => one.spec !== spec);
    await spec.drives.close();
  };
  const heldBy = ({ worker }: Process): number => worker.report().partitions_held;
  const isShown = async (drive_id: string): Promise<boolean> => {
    const head = await api.events.head(`drive-${drive_id}`);
    return (await model.checkpoint(drive_id))?.revision === head?.revision;
  };
  const areShown = () =>
    eventually(async () => (await Promise.all(DRIVES.map(isShown))).every(Boolean));
  const writeEverywhere = async (name: string): Promise<void> => {
    for (const drive_id of DRIVES) await api.group(name, undefined, { drive_id });
  };

  beforeEach(async () => {
    model = new DurableModel(SPEC_SCHEMA);
    leases = new MemoryPartitionLeases();
    running = [];
    reports = [];
    times_taken = 0;
    api = new EngineSpec({ read_model: model, role: ROLES.replica });
    await api.drives.start();
    for (const drive_id of DRIVES) await api.spawn(drive_id);
  });

  afterEach(async () => {
    for (const one of running) await one.worker.close();
    await Promise.all(
      [api, ...running.map(({ spec }) => spec)].map(({ drives }) => drives.close()),
    );
  });

  it('a drive lies in the same partition everywhere', () => {
    const partitions = new Partitions(64);
    expect(partitions.placeOf('DriveID_a')).toBe(new Partitions(64).placeOf('DriveID_a'));
    const places = Array.from({ length: 2000 }, (_, n) => partitions.placeOf(`DriveID_${n}`));
    expect(new Set(places).size).toBe(64);
    expect(partitions.nameOf(7)).not.toBe(new Partitions(63).nameOf(7));
  });

  it('one alone brings up every drive: those that were there, and what is written from then on', async () => {
    const one = await start('one');
    expect(heldBy(one)).toBe(8);
    await areShown();
    await writeEverywhere('A');
    await areShown();
    await api.spawn('DriveID_new');
    await eventually(() => isShown('DriveID_new'));
    await eventually(() => isShown('DriveID_1'));
    expect(await api.listedGroups('DriveID_1')).toEqual(['A', 'Group for All']);
  });

  it('partitions that others leave are taken long before leases are renewed', async () => {
    const one = await start('one');
    const two = await start('two', 8, 30_000);
    expect(heldBy(two)).toBe(0);
    await one.worker.share();
    await eventually(() => heldBy(two) === 4);
    await stop(one);
    await eventually(() => heldBy(two) === 8);
    await writeEverywhere('A');
    await areShown();
  });

  it('keep their partitions while they list more drives than a lease lasts', async () => {
    const now = performance.now.bind(performance);
    let passed_ms = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed_ms);
    const events = api.events.store;
    const head = jest.spyOn(events, 'head');
    const held: number[] = [];
    head.mockImplementation(async function (this: typeof events, stream) {
      passed_ms += LEASE_MS / 5;
      for (const { spec } of running) spec.now += LEASE_MS / 5;
      held.push((await leases.holders(api.now + passed_ms)).length);
      return MemoryEventStore.prototype.head.call(this, stream);
    });
    const one = await start('one');
    for (let round = 0; round < 3; round++) await one.worker.share();
    head.mockRestore();
    clock.mockRestore();
    // Neither the membership nor a lease has ended, although each list took longer than one.
    expect(held.length).toBeGreaterThanOrEqual(2 * (DRIVES.length + 1));
    expect(held).toEqual(held.map(() => 9));
    await areShown();
    await one.worker.idle();
    await one.worker.share();
    const partitions = new Partitions(8);
    const positions = await Promise.all(
      Array.from({ length: 8 }, (_, place) => leases.position(partitions.nameOf(place))),
    );
    expect(positions).not.toContain(null);
  });

  it('several share the partitions evenly, each drive being the business of one', async () => {
    const one = await start('one');
    const two = await start('two');
    await one.worker.share();
    await two.worker.share();
    expect([heldBy(one), heldBy(two)]).toEqual([4, 4]);
    for (const drive_id of DRIVES)
      expect(one.worker.isAssigned(drive_id)).toBe(!two.worker.isAssigned(drive_id));
    await writeEverywhere('A');
    await areShown();
    await one.worker.idle();
    await one.worker.share();
    for (const { spec, worker } of [one, two]) {
      const held = [...spec.drives.inMemory()].map(({ drive_id }) => drive_id);
      expect(held.filter((id) => id !== 'factory').every(worker.isAssigned)).toBe(true);
    }
    const three = await start('three');
    for (const { worker } of [one, two, three, one, two, three]) await worker.share();
    expect([heldBy(one), heldBy(two), heldBy(three)].sort()).toEqual([2, 3, 3]);
  });

  it('one that ends in order hands over at once, and what was written meanwhile is not missed', async () => {
    const one = await start('one');
    await one.worker.share();
    await areShown();
    await writeEverywhere('Before');
    await areShown();
    await stop(one);
    await writeEverywhere('In between');
    const two = await start('two');
    expect(heldBy(two)).toBe(8);
    await areShown();
    expect(model.built.filter((drive_id) => drive_id === 'DriveID_1')).toHaveLength(1);
  });

  it('a read model of another form is filled for every drive, also for those that nobody writes to', async () => {
    const one = await start('one');
    await one.worker.share();
    await areShown();
    await one.worker.share();
    await stop(one);
    model = new DurableModel(SPEC_SCHEMA, 'another');
    await start('two');
    await areShown();
    expect(new Set(model.built)).toEqual(new Set(['factory', ...DRIVES]));
  });

  it('the partitions of one that is heard of no more are taken over when its leases end', async () => {
    const one = await start('one');
    await one.worker.share();
    await areShown();
    const two = await start('two');
    await crash(one);
    await writeEverywhere('Nobody hears');
    two.spec.now += LEASE_MS - 1;
    await two.worker.share();
    expect(heldBy(two)).toBeLessThan(8);
    two.spec.now += 1;
    await two.worker.share();
    await two.worker.share();
    expect(heldBy(two)).toBe(8);
    await areShown();
  });

  describe('after a store was restored or lost', () => {
    /** Positions are saved, and no worker is left. */
    const worked = async (): Promise<void> => {
      await writeEverywhere('Lost');
      const one = await start('one');
      await areShown();
      await one.worker.idle();
      await one.worker.share();
      await stop(one);
    };
    /** Other events under the same ids, and the same leases and documents. */
    const restored = async (names: readonly string[]): Promise<void> => {
      model.built.length = 0;
      await api.drives.close();
      api = new EngineSpec({ read_model: model, role: ROLES.replica });
      await api.drives.start();
      for (const drive_id of DRIVES) await api.spawn(drive_id);
      for (const name of names) await writeEverywhere(name);
    };

    it('documents of other events are built again, also if nothing is written any more', async () => {
      await worked();
      await restored(['Kept']);
      const two = await start('two');
      await two.worker.idle();
      expect(model.built).toEqual(expect.arrayContaining(DRIVES));
      for (const drive_id of DRIVES)
        expect(await api.listedGroups(drive_id)).toEqual(['Group for All', 'Kept']);
    });

    it('positions behind the end of the log are of another one', async () => {
      await worked();
      await restored([]);
      // While no worker runs.
      await api.spawn('DriveID_new');
      const two = await start('two');
      await areShown();
      await eventually(() => isShown('DriveID_new'));
      await two.worker.idle();
      await two.worker.share();
      const { nameOf, placeOf } = bound(new Partitions(8));
      expect(await leases.position(nameOf(placeOf('DriveID_new')))).toBe(
        await api.events.lastPosition(),
      );
    });

    it('events before a position of a longer log are found', async () => {
      await worked();
      const end = await api.events.lastPosition();
      const partitions = new Partitions(8);
      for (let place = 0; place < 8; place++) {
        const lease = await leases.acquire(partitions.nameOf(place), 'x', api.now, api.now + 1);
        // The last two events of that log are lost.
        await leases.savePosition(lease!, end + 2);
        await leases.release(lease!);
      }
      await writeEverywhere('New');
      await start('two');
      await areShown();
      for (const drive_id of DRIVES)
        expect(await api.listedGroups(drive_id)).toEqual(['Group for All', 'Lost', 'New']);
    });

    it('a comparison that fails is repeated', async () => {
      await worked();
      await restored(['Kept']);
      const events = api.events.store;
      const head = jest.spyOn(events, 'head');
      let is_away = true;
      head.mockImplementation(async function (this: typeof events, stream) {
        if (is_away && stream === 'drive-DriveID_2') {
          is_away = false;
          throw new StoreUnavailable('no connection');
        }
        return MemoryEventStore.prototype.head.call(this, stream);
      });
      const two = await start('two');
      await two.worker.idle();
      await areShown();
      head.mockRestore();
      expect(reports).toEqual(['documents not compared']);
    });

    it('a comparison for which the drives cannot be listed is repeated', async () => {
      await worked();
      await restored(['Kept']);
      const away = new StoreUnavailable('no connection');
      const listing = jest.spyOn(Drives.prototype, 'all').mockRejectedValueOnce(away);
      const two = await start('two');
      await two.worker.idle();
      listing.mockRestore();
      await areShown();
      expect(reports).toEqual(['documents not compared']);
    });

    it.each([
      ['no positions', true],
      ['positions', false],
    ])('a deleted stream keeps no other drive from being shown, with %s', async (_, are_lost) => {
      await worked();
      model = new DurableModel(SPEC_SCHEMA);
      if (are_lost) leases = new MemoryPartitionLeases();
      const events = api.events.store;
      let is_deleted = true;
      for (const read of ['head', 'readStream'] as const)
        jest.spyOn(events, read).mockImplementation(async function (
          this: typeof events,
          stream: string,
          ...rest: any[]
        ) {
          if (is_deleted && stream === 'drive-DriveID_1') throw new StreamDeleted(stream);
          return (MemoryEventStore.prototype[read] as any).call(this, stream, ...rest);
        } as never);
      const two = await start('two', 1);
      await eventually(async () =>
        (await Promise.all(DRIVES.slice(1).map(isShown))).every(Boolean),
      );
      await eventually(() => two.worker.report().quarantined.includes('DriveID_1'));
      two.spec.now += 60_001;
      expect(two.worker.report()).toMatchObject({ stuck: false, lag_ms: 0 });
      await two.worker.share();
      const end = await api.events.lastPosition();
      expect(await leases.position(new Partitions(1).nameOf(0))).toBe(end);
      is_deleted = false;
      await stop(two);
      await start('three', 1);
      await areShown();
      jest.restoreAllMocks();
      expect(await isShown('DriveID_1')).toBe(true);
    });

    it('lost documents are built again', async () => {
      await worked();
      model = new DurableModel(SPEC_SCHEMA);
      await start('two');
      await areShown();
      expect(model.built).toEqual(expect.arrayContaining(DRIVES));
    });
  });

  it('positions are saved once everything before them is done, and no earlier', async () => {
    const one = await start('one');
    await one.worker.share();
    await areShown();
    const { nameOf, placeOf } = bound(new Partitions(8));
    const position = (drive_id: string) => leases.position(nameOf(placeOf(drive_id)));
    await one.worker.idle();
    await one.worker.share();
    const before = await position('DriveID_1');
    const gate = Promise.withResolvers<void>();
    model.before_apply = ({ drive_id }) => (drive_id === 'DriveID_1' ? gate.promise : undefined);
    await api.group('Slow', undefined, { drive_id: 'DriveID_1' });
    await api.spawn('DriveID_other');
    await eventually(() => isShown('DriveID_other'));
    await one.worker.share();
    expect(await position('DriveID_1')).toBe(before);
    gate.resolve();
    await one.worker.idle();
    await one.worker.share();
    expect(await position('DriveID_1')).toBe(await api.events.lastPosition());
  });

  it('a drive that cannot be brought up is quarantined and tried again; the others go on', async () => {
    const one = await start('one');
    await areShown();
    let poisoned = true;
    model.before_apply = ({ drive_id }) => {
      if (poisoned && drive_id === 'DriveID_1') throw new Error('no document of that size');
    };
    await writeEverywhere('A');
    await eventually(async () => (await Promise.all(DRIVES.slice(1).map(isShown))).every(Boolean));
    await eventually(() => one.worker.report().quarantined.includes('DriveID_1'));
    expect(one.worker.report()).toMatchObject({ drives_behind: 1, stuck: false });
    one.spec.now += 60_001;
    const { lag_ms, stuck } = one.worker.report();
    expect(lag_ms).toBeGreaterThanOrEqual(60_001);
    expect(stuck).toBe(true);
    expect(one.spec.reports.map(({ what }) => what)).toContain('drive quarantined');
    // Its partition's position stays before it, so whoever takes over finds it again.
    poisoned = false;
    await stop(one);
    await start('two');
    await areShown();
  });

  it('a store that is away for a while quarantines nothing', async () => {
    const one = await start('one');
    await areShown();
    const away = () => Promise.reject(new StoreUnavailable('no connection'));
    one.spec.events.onRead(away, away, away, away, away);
    // As after more events than are kept for it.
    const drive = one.spec.drives.loaded('DriveID_1')!;
    const follow = drive.follow.bind(drive);
    drive.follow = () => follow();
    await api.group('A', undefined, { drive_id: 'DriveID_1' });
    await eventually(() => isShown('DriveID_1'));
    expect(one.spec.reports.map(({ what }) => what)).toEqual(['drive does not catch up']);
  });

  it('documents that cannot be written for a while quarantine nothing, however the store is named', async () => {
    const one = await start('one');
    await areShown();
    let tries = 0;
    model.before_apply = () => {
      if (++tries <= 8 * DRIVES.length)
        throw new Unavailable('store-failed', { cause: new StoreUnavailable('no connection') });
    };
    await writeEverywhere('A');
    await eventually(() => tries > 5 * DRIVES.length);
    expect(one.worker.report()).toMatchObject({ quarantined: [] });
    await eventually(async () => (await Promise.all(DRIVES.map(isShown))).every(Boolean));
    expect(one.spec.reports.map(({ what }) => what)).not.toContain('drive quarantined');
  });

  it('one that cannot reach the leases goes on, and says so', async () => {
    const one = await start('one');
    await areShown();
    const { renew } = leases;
    leases.renew = () => Promise.reject(new Error('the database is away'));
    await one.worker.share();
    expect(reports).toEqual(['partitions not balanced']);
    leases.renew = renew;
    await one.worker.share();
    await writeEverywhere('A');
    await areShown();
  });

  it('one that fails while it takes partitions says of all that it took them', async () => {
    const { acquire } = leases;
    let left = 3;
    leases.acquire = (...asked) =>
      left-- > 0 ? acquire.apply(leases, asked) : Promise.reject(new Error('away'));
    const one = await start('one');
    expect(reports).toEqual(['partitions not balanced']);
    expect([heldBy(one) > 0, times_taken]).toEqual([true, 0]);
    leases.acquire = () => Promise.resolve(null);
    await one.worker.share();
    expect(times_taken).toBe(1);
  });
});

function bound(partitions: Partitions) {
  return {
    nameOf: (place: number) => partitions.nameOf(place),
    placeOf: (drive_id: string) => partitions.placeOf(drive_id),
  };
}
