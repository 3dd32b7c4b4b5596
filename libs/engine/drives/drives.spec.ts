import { jest } from '@jest/globals';
import { factoryCommands } from '../../domain/factory/commands.js';
import { OWNER } from '../../domain/testing/drive.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { FACTORY_ID } from '../fold/fold.js';
import { rebuildReadModel } from '../read-models/rebuild.js';
import { DRIVE_A, EngineSpec, FACTORY, spawnCommand } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';

const progress = () => ({ events_folded: 0, events_total: 0, documents_written: 0 });

describe('the drives of a process', () => {
  let spec: EngineSpec;

  beforeEach(() => {
    spec = new EngineSpec();
  });

  const inMemory = (on = spec): string[] =>
    [...on.drives.inMemory()].map(({ drive_id }) => drive_id).sort();

  describe('making a drive', () => {
    const spawn = (drive_id: string) =>
      spec.drives.commands.spawn(
        drive_id,
        { definition: factoryCommands.SpawnDrive, command: spawnCommand(drive_id) },
        { definition: factoryCommands.NameDrive, command: { drive_id } },
        FACTORY,
      );

    it('lists it once the factory has named it', async () => {
      await spec.spawn('DriveID_1');
      await spec.spawn('DriveID_2');
      expect(await spec.drives.all()).toEqual(['DriveID_1', 'DriveID_2']);
      expect(await spec.restarted().drives.all()).toEqual(['DriveID_1', 'DriveID_2']);
      expect(await spec.drives.exists('DriveID_3')).toBe(false);
    });

    it('does not exist before it is named, and nobody else loads it meanwhile', async () => {
      const gate = new Gate();
      spec.events.onAppend((store) => store(), gate.hold);
      const spawning = spawn(DRIVE_A);
      await gate.reached;
      const exists = spec.drives.exists(DRIVE_A);
      const opened = spec.drives.open(DRIVE_A);
      gate.open();
      await spawning;
      expect(await exists).toBe(true);
      await opened;
      expect(await spec.drives.open(DRIVE_A)).toBe(await opened);
    });

    it('whose naming fails is no drive, and takes no memory', async () => {
      await spec.spawn('DriveID_other');
      spec.events.onAppend(
        (store) => store(),
        () => Promise.reject(new Error('the disk is full')),
      );
      await expect(spawn(DRIVE_A)).rejects.toMatchObject({ reason: 'store-failed' });
      expect(await spec.drives.exists(DRIVE_A)).toBe(false);
      expect(inMemory()).toEqual(['DriveID_other', FACTORY_ID]);
    });

    it('a second time with the same id is refused and leaves the first alone', async () => {
      await spec.spawn();
      await spec.group('A');
      expect(await spawn(DRIVE_A)).toMatchObject({ refusal: { refusal: 'id-in-use' } });
      expect(await spec.drives.exists(DRIVE_A)).toBe(true);
      expect(await spec.listedGroups()).toEqual(['A', 'Group for All']);
    });
  });

  describe('letting go of idle drives', () => {
    /** Room for the factory and one drive of a few records. */
    const small = { state_cache_bytes: 9 * 800 };

    beforeEach(async () => {
      spec = new EngineSpec({ limits: small });
    });

    it('keeps those used last, within the budget, and always the factory', async () => {
      await spec.spawn('DriveID_1');
      spec.now += 1;
      await spec.spawn('DriveID_2');
      expect(inMemory()).toEqual(['DriveID_2', FACTORY_ID]);
      spec.now += 1;
      await spec.drives.open('DriveID_1');
      expect(inMemory()).toEqual(['DriveID_1', FACTORY_ID]);
    });

    it('a drive that comes back answers the same, and takes commands', async () => {
      await spec.spawn('DriveID_1');
      const drive = await spec.drives.open('DriveID_1');
      await spec.group('A', undefined, { drive_id: 'DriveID_1' });
      const before = { hash: drive.folded.hash.root(), head: drive.head };
      await spec.spawn('DriveID_2');
      expect(drive.is_evicted).toBe(true);
      const again = await spec.drives.open('DriveID_1');
      expect(again).not.toBe(drive);
      const { frontier, ...head } = before.head;
      expect(again.head).toMatchObject(head);
      expect(again.head.frontier.toJSON()).toEqual(frontier.toJSON());
      expect(again.folded.hash.root()).toBe(before.hash);
      expect(await spec.listedGroups('DriveID_1')).toEqual(['A', 'Group for All']);
      await spec.group('B', undefined, { drive_id: 'DriveID_1' });
      expect(await spec.listedGroups('DriveID_1')).toEqual(['A', 'B', 'Group for All']);
    });

    it('too large to be held, is known to be for a while and read no further than needed', async () => {
      await spec.spawn('DriveID_1');
      for (let at = 0; at < 700; at++)
        await spec.group(`G${at}`, undefined, { drive_id: 'DriveID_1' });
      const next = spec.restarted(small);
      // A page, and the two that are prefetched.
      next.events.onFold(
        (read) => read(),
        (read) => read(),
        (read) => read(),
        () => Promise.reject(new Error('read on or again')),
      );
      const refused = { name: 'Unavailable', reason: 'too-large' };
      await expect(next.drives.open('DriveID_1')).rejects.toMatchObject(refused);
      expect(next.reports.map(({ what }) => what)).toEqual(['too large, not served']);
      await expect(next.drives.open('DriveID_1')).rejects.toMatchObject(refused);
      await expect(next.group('more', undefined, { drive_id: 'DriveID_1' })).rejects.toMatchObject(
        refused,
      );
      expect(next.reports).toHaveLength(1);
      next.now += 600_000;
      await expect(next.drives.open('DriveID_1')).rejects.toThrow('read on or again');
      // The others are served.
      await next.spawn('DriveID_2');
      expect(await next.listedGroups('DriveID_2')).toEqual(['Group for All']);
    });

    it('never takes one with commands under way', async () => {
      await spec.spawn('DriveID_1');
      const gate = new Gate();
      spec.events.onAppend(gate.hold);
      const writing = spec.group('A', undefined, { drive_id: 'DriveID_1' });
      await gate.reached;
      await spec.spawn('DriveID_2');
      expect(inMemory()).toContain('DriveID_1');
      gate.open();
      await writing;
      expect(await spec.listedGroups('DriveID_1')).toContain('A');
    });

    it('never takes one that is being read', async () => {
      await spec.spawn('DriveID_1');
      const gate = new Gate();
      const reading = spec.drives.read('DriveID_1', async () => {
        await gate.pass();
        return spec.listedGroups('DriveID_1');
      });
      await gate.reached;
      await spec.spawn('DriveID_2');
      gate.open();
      expect(await reading).toEqual(['Group for All']);
      await spec.spawn('DriveID_3');
      expect(inMemory()).not.toContain('DriveID_1');
    });

    it('never takes one whose read model is being rebuilt', async () => {
      const drive = await spec.spawn('DriveID_1');
      const gate = new Gate();
      spec.events.onFold(gate.hold);
      const rebuilding = rebuildReadModel(spec.drives, drive, progress());
      await gate.reached;
      await spec.spawn('DriveID_2');
      expect(drive.is_evicted).toBe(false);
      gate.open();
      await rebuilding;
    });

    it('prepares a rebuilt state in turns before it is used', async () => {
      const drive = await spec.spawn('DriveID_1');
      const former = drive.state;
      const indexing = jest.spyOn(Object.getPrototypeOf(former) as typeof former, 'indexing');
      await rebuildReadModel(spec.drives, drive, progress());
      expect(drive.state).not.toBe(former);
      expect(indexing.mock.contexts).toContain(drive.state);
      expect(indexing.mock.calls).toContainEqual([true]);
      indexing.mockRestore();
    });

    it('stores when its users were last seen', async () => {
      const drive = await spec.spawn('DriveID_1');
      drive.presence.touch(OWNER, spec.now);
      await spec.spawn('DriveID_2');
      expect((await spec.drives.open('DriveID_1')).presence.lastOnline(OWNER)).toBe(spec.now);
    });

    it('loads a drive once, however many ask for it', async () => {
      await spec.spawn('DriveID_1');
      await spec.spawn('DriveID_2');
      const opened = await Promise.all(
        Array.from({ length: 20 }, () => spec.drives.open('DriveID_1')),
      );
      expect(new Set(opened).size).toBe(1);
    });

    it('loads at most so many drives at one time', async () => {
      for (const nth of [1, 2, 3, 4]) await spec.spawn(`DriveID_${nth}`);
      const cold = spec.restarted({ cold_loads_max: 2 });
      await cold.drives.all();
      let running = 0;
      let most = 0;
      const slow = async <T>(read: () => Promise<T>): Promise<T> => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return read();
      };
      cold.events.onRead(slow, slow, slow, slow);
      await Promise.all([1, 2, 3, 4].map((nth) => cold.drives.open(`DriveID_${nth}`)));
      expect(most).toBe(2);
    });

    it('a load that fails fails those who wait, and the next one tries again', async () => {
      await spec.spawn();
      const cold = spec.restarted();
      await cold.drives.all();
      cold.events.onRead(() => Promise.reject(new Error('connection lost')));
      const both = [cold.drives.open(DRIVE_A), cold.drives.open(DRIVE_A)];
      for (const result of await Promise.allSettled(both)) expect(result.status).toBe('rejected');
      await expect(cold.drives.open(DRIVE_A)).resolves.toMatchObject({ drive_id: DRIVE_A });
    });
  });

  describe('closing', () => {
    it('answers every command that was taken', async () => {
      await spec.spawn();
      const gate = new Gate();
      spec.events.onAppend(gate.hold);
      const first = spec.note('first');
      await gate.reached;
      const others = Array.from({ length: 300 }, (_, at) => spec.note(at));
      // Taken into the queue before the process is told to stop.
      await new Promise(setImmediate);
      const closing = spec.drives.close();
      gate.open();
      const outcomes = await Promise.all([first, ...others]);
      await closing;
      expect(outcomes.map(({ revision }) => revision)).toEqual(
        Array.from({ length: 301 }, (_, at) => at + 1),
      );
    });

    it('turns away what comes later', async () => {
      await spec.spawn();
      await spec.drives.close();
      await expect(spec.note()).rejects.toMatchObject({ reason: 'stopping' });
    });

    it('waits for a drive that is being made', async () => {
      await spec.spawn('DriveID_other');
      const gate = new Gate();
      spec.events.onAppend(gate.hold);
      const spawning = spec.spawn();
      await gate.reached;
      let closed = false;
      const closing = spec.drives.close().finally(() => (closed = true));
      await new Promise(setImmediate);
      expect(closed).toBe(false);
      gate.open();
      await expect(spawning).rejects.toMatchObject({ reason: 'stopping' });
      await closing;
      expect(await spec.restarted().drives.exists(DRIVE_A)).toBe(false);
    });

    it('stores when users were last seen', async () => {
      const drive = await spec.spawn();
      drive.presence.touch(OWNER, spec.now);
      await spec.drives.close();
      expect(await spec.side.presence.load(DRIVE_A)).toEqual(new Map([[OWNER, spec.now]]));
    });

    it('keeps times that could not be stored for the next attempt', async () => {
      const side = new MemorySideStores();
      const { presence } = side;
      const save = presence.save.bind(presence);
      presence.save = () => Promise.reject(new Error('the disk is full'));
      spec = new EngineSpec({ side });
      const drive = await spec.spawn();
      drive.presence.touch(OWNER, spec.now);
      await spec.drives.close();
      expect(spec.reports).toMatchObject([{ what: 'presence not saved', drive_id: DRIVE_A }]);
      presence.save = save;
      await spec.drives.close();
      expect(await presence.load(DRIVE_A)).toEqual(new Map([[OWNER, spec.now]]));
    });
  });

  describe('meeting an event that this release does not know', () => {
    beforeEach(async () => {
      const writer = new EngineSpec({ events: spec.events.store, side: spec.side });
      await writer.spawn();
      const { hash, revision } = (await spec.events.head(`drive-${DRIVE_A}`))!;
      await spec.events.append(`drive-${DRIVE_A}`, revision, [
        {
          event_id: 'from-the-future',
          type: 'TimeMachineBuilt',
          version: 1,
          timestamp_ms: writer.now,
          metadata: '{}',
          data: '{}',
          hash,
        },
      ]);
    });

    it('closes the drive to commands', async () => {
      await expect(spec.note()).rejects.toMatchObject({ reason: 'closed' });
      await expect(spec.group('A')).rejects.toMatchObject({ reason: 'closed' });
    });

    it('still answers questions', async () => {
      expect(await spec.drives.read(DRIVE_A, ({ state }) => state.organization.name)).toBe(
        'Spec Org',
      );
    });

    it('leaves other drives alone', async () => {
      await spec.spawn('DriveID_other');
      await spec.group('A', undefined, { drive_id: 'DriveID_other' });
      expect(await spec.listedGroups('DriveID_other')).toContain('A');
    });

    it('writes no snapshot, since a later release must fold that event', async () => {
      const eager = spec.restarted({ snapshot_every_events: 1 });
      await eager.note().catch(() => {});
      await eager.drives.close();
      expect(await spec.side.snapshots.list(DRIVE_A)).toEqual([]);
    });

    it('closes a drive that is in memory once the event is met', async () => {
      await spec.spawn('DriveID_other');
      const [{ hash, revision }] = [(await spec.events.head('drive-DriveID_other'))!];
      await spec.events.append('drive-DriveID_other', revision, [
        {
          event_id: 'from-the-future-2',
          type: 'TimeMachineBuilt',
          version: 1,
          timestamp_ms: spec.now,
          metadata: '{}',
          data: '{}',
          hash,
        },
      ]);
      await expect(spec.group('A', undefined, { drive_id: 'DriveID_other' })).rejects.toMatchObject(
        { reason: 'closed' },
      );
    });
  });

  describe('two processes on one store', () => {
    it('writing at one time lose nothing, double nothing, and end up the same', async () => {
      await spec.spawn();
      const other = spec.restarted({ conflict_retries: 1000 });
      spec = spec.restarted({ conflict_retries: 1000 });
      const names = Array.from({ length: 120 }, (_, at) => `G${String(at).padStart(3, '0')}`);
      // A few at a time, so that both have many batches to lose.
      const write = async (on: EngineSpec, mine: readonly string[]): Promise<void> => {
        for (let at = 0; at < mine.length; at += 5)
          await Promise.all(mine.slice(at, at + 5).map((name) => on.group(name)));
      };
      await Promise.all([write(spec, names.slice(0, 60)), write(other, names.slice(60))]);
      const { state, hash } = await spec.folded();
      expect(state.revision).toBe(120);
      expect([...state.groups.values()].map(({ name }) => name).sort()).toEqual([
        ...names,
        'Group for All',
      ]);
      for (const process of [spec, other]) {
        await process.note('brings the process up to date');
        expect(await process.listedGroups()).toEqual([...names, 'Group for All']);
      }
      const drive = await other.drives.open(DRIVE_A);
      await (await spec.drives.open(DRIVE_A)).exclusively(() => Promise.resolve());
      expect(drive.folded.hash.root()).toBe(hash.root());
    });

    it('one of two claims of one id wins', async () => {
      await spec.spawn();
      const other = spec.restarted();
      await other.drives.open(DRIVE_A);
      const outcomes = await Promise.all([
        spec.group('One', 'GroupID_same'),
        other.group('Two', 'GroupID_same'),
      ]);
      expect(outcomes.filter((outcome) => 'refusal' in outcome)).toHaveLength(1);
    });
  });
});
