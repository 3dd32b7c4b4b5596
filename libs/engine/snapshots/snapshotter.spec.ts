import { accept, type CommandDefinition } from '../../domain/foundation/decision.js';
import { event, type DomainEvent } from '../../domain/foundation/events.js';
import { itemMade } from '../../domain/directory/testing/events.js';
import { disk, ROOT } from '../../domain/permissions/testing/grants.js';
import { OWNER } from '../../domain/testing/drive.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { StoredEvent } from '../../event-store/port.js';
import type { SnapshotStore } from '../../event-store/stores.js';
import { FACTORY_ID } from '../fold/fold.js';
import { StateLoader } from '../fold/loader.js';
import { readSnapshot, SNAPSHOT_VERSION } from './snapshot.js';
import { DEFAULT_LIMITS } from '../drives/limits.js';
import { FoldedSnapshots, type SnapshotMaker } from './snapshot-maker.js';
import { isSnapshotDue } from './snapshotter.js';
import { unlessAbandoned } from '../tasks/long-query.js';
import { DRIVE_A, EngineSpec, Note } from '../testing/engine.js';

const EVERY = 10;

describe('snapshots of a drive', () => {
  let side: MemorySideStores;
  let spec: EngineSpec;

  beforeEach(async () => {
    side = new MemorySideStores();
    spec = new EngineSpec({ side, limits: { snapshot_every_events: EVERY } });
    await spec.spawn();
  });

  const revisions = async (): Promise<number[]> =>
    (await side.snapshots.list(DRIVE_A)).map(({ revision }) => revision);
  /** Events one at a time, each with its snapshot (if any) written before the next. */
  const write = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) {
      await spec.group(`G${at}`);
      await spec.drives['snapshotter'].idle();
    }
  };
  const load = () => spec.drives.loader.load(DRIVE_A, { to: Infinity });

  it('are written every so many events', async () => {
    await write(35);
    expect(await revisions()).toEqual([9, 19, 29]);
  });

  it('count on from the last one after a restart', async () => {
    await write(15);
    spec = spec.restarted({ snapshot_every_events: EVERY });
    await write(15);
    expect(await revisions()).toEqual([9, 19, 29]);
  });

  describe('while a state is small', () => {
    const AFTER = 20;
    const limits = { snapshot_every_events: 100, snapshot_after_events: AFTER };
    const note = async (count: number, payload = 'noted'): Promise<void> => {
      for (let at = 0; at < count; at++) {
        await spec.note(payload);
        await spec.drives['snapshotter'].idle();
      }
    };

    beforeEach(async () => {
      side = new MemorySideStores();
      spec = new EngineSpec({ side, limits });
      await spec.spawn();
    });

    it('are written after fewer events while there are few records', async () => {
      await note(45);
      expect(await revisions()).toEqual([19, 39]);
    });

    it('wait for as many events as there are records, or for twice as many as elsewhere', async () => {
      await write(38);
      expect(spec.drives.loaded(DRIVE_A)!.state.record_count).toBeGreaterThan(70);
      expect(await revisions()).toEqual([]);
      await note(60);
      expect(await revisions()).toEqual([39, 79]);
    });

    it('are written sooner after events that change many records', async () => {
      const Given: CommandDefinition<{ events: readonly DomainEvent[] }, null> = {
        name: 'Given',
        decide: (_, { events }) => accept(['OWNER'], ...events),
        answer: () => null,
      };
      const folder = (nth: number) => itemMade(`FolderID_${nth}`, ROOT, 'DiskID_1', OWNER);
      const inside = (nth: number) =>
        itemMade(`FolderID_in${nth}`, 'FolderID_1', 'DiskID_1', OWNER);
      await spec.run(Given, {
        events: [disk, folder(1), folder(2), ...Array.from({ length: 9 }, (_, nth) => inside(nth))],
      });
      expect(await revisions()).toEqual([]);
      const copy = (nth: number) =>
        event('ItemCopied', {
          source_id: 'FolderID_1',
          copy_id: `FolderID_copy${nth}`,
          parent_folder_uuid: 'FolderID_2',
          name: `copy ${nth}`,
          created_by: OWNER,
          files_expire_at: null,
          left_out: [],
        });
      let nth = 0;
      while ((await revisions()).length === 0 && nth < 100) {
        await spec.run(Given, { events: [copy(nth++)] });
        await spec.drives['snapshotter'].idle();
      }
      const { revision } = spec.drives.loaded(DRIVE_A)!.state;
      expect(await revisions()).toEqual([revision - 1]);
      // By their number alone, one would be due after twice as many.
      expect(revision).toBeLessThan(2 * AFTER);
    });

    it('are written sooner after large events, also where a process has loaded some of them', async () => {
      const half = 'x'.repeat((AFTER * 1024) / 2);
      await note(1, half);
      spec = spec.restarted(limits);
      await note(1);
      expect(await revisions()).toEqual([]);
      await note(1, half);
      expect(await revisions()).toEqual([2]);
      await note(1);
      spec = spec.restarted(limits);
      await note(1);
      expect(await revisions()).toEqual([2]);
      await note(1, half);
      expect(await revisions()).toEqual([2, 5]);
    });
  });

  it.each([
    ['5,000 events of a small state', { events: 5_000 }, true],
    ['fewer', { events: 4_999 }, false],
    ['5,000 events of a larger state', { events: 5_000, records: 10_000 }, false],
    ['as many events as it has records', { events: 8_000, records: 8_000 }, true],
    ['10,000 events of four times as many records', { events: 10_000, records: 40_000 }, true],
    ['fewer of it', { events: 9_999, records: 40_000 }, false],
    ['a quarter as many as it has records', { events: 20_000, records: 80_000 }, true],
    ['fewer than a quarter', { events: 19_999, records: 80_000 }, false],
    ['100,000 events of a huge state', { events: 100_000, records: 2_000_000 }, true],
    ['fewer of that', { events: 99_999, records: 2_000_000 }, false],
    ['20,000 changed records', { changes: 20_000 }, true],
    ['fewer changes', { changes: 19_999 }, false],
    ['fewer changes than a large state has records', { changes: 199_999, records: 200_000 }, false],
    ['as many changes as a large state has records', { changes: 200_000, records: 200_000 }, true],
    ['5 MB of bodies', { events: 100, bytes: 5_000 * 1024 }, true],
    [
      '5 MB of bodies after a large snapshot',
      { bytes: 5_000 * 1024, last_bytes: 2_000_000 },
      false,
    ],
    ['four times as many bytes as the last', { bytes: 8_000_000, last_bytes: 2_000_000 }, true],
  ])('of a stream are due or not after %s', (_, cost, is_due) => {
    const {
      events = 10,
      bytes = 0,
      last_bytes = 0,
      records = 100,
      changes = 0,
    } = cost as Record<string, number>;
    const of = { events, bytes, changes, last_bytes, records: () => records };
    expect(isSnapshotDue(of, DEFAULT_LIMITS)).toBe(is_due);
  });

  it('give the same state as the whole stream', async () => {
    await write(25);
    const loaded = await load();
    const folded = await spec.folded();
    expect(loaded.snapshot_revision).toBe(19);
    expect(loaded.events_folded).toBe(6);
    expect(loaded.folded.hash.root()).toBe(folded.hash.root());
    expect(loaded.folded.frontier.toJSON()).toEqual(folded.frontier.toJSON());
  });

  it('hold the hashes of all buckets', async () => {
    await write(19);
    const snapshot = await side.snapshots.latest(DRIVE_A, SNAPSHOT_VERSION, Infinity);
    const { hash } = await readSnapshot(DRIVE_A, snapshot!.body);
    const { folded } = await spec.drives.loader.load(DRIVE_A, { to: snapshot!.revision });
    expect(hash.packed()!.roots).not.toContain(null);
    expect(hash.root()).toBe(folded.hash.root());
  });

  it('serve points before them from older ones or from event 0', async () => {
    await write(25);
    const at = async (to: number) =>
      (await spec.drives.loader.load(DRIVE_A, { to })).snapshot_revision;
    expect([await at(5), await at(9), await at(10), await at(19), await at(20)]).toEqual([
      null,
      null,
      9,
      9,
      19,
    ]);
  });

  it('always leave the last event to be folded, so that what it touched is known', async () => {
    await write(10);
    expect(await revisions()).toEqual([9]);
    const loaded = await spec.drives.loader.load(DRIVE_A, { to: 9 });
    expect(loaded.snapshot_revision).toBeNull();
    expect(loaded.last_touched.map(({ family }) => family)).toEqual(['groups', 'group_invites']);
  });

  it('are not looked at when the chain is to be verified', async () => {
    await write(25);
    const loaded = await spec.drives.loader.load(DRIVE_A, { to: Infinity, verify: true });
    expect(loaded.snapshot_revision).toBeNull();
    expect(loaded.events_folded).toBe(26);
  });

  it('of a stream that was rewound and grew again are dropped', async () => {
    await write(25);
    const rewound = new MemoryEventStore();
    const stream = `drive-${DRIVE_A}`;
    await rewound.append(stream, -1, await spec.events.readStream(stream, 0, 'forward', 12));
    await rewound.append(
      FACTORY_ID,
      -1,
      await spec.events.readStream(FACTORY_ID, 0, 'forward', 12),
    );
    spec = new EngineSpec({ side, events: rewound });
    for (let at = 0; at < 20; at++) await spec.group(`other ${at}`);
    const loaded = await load();
    expect(loaded.snapshot_revision).toBe(9);
    expect(await revisions()).toEqual([9]);
    expect(loaded.folded.hash.root()).toBe((await spec.folded()).hash.root());
  });

  it('beyond the end of a rewound stream are not used', async () => {
    await write(25);
    const rewound = new MemoryEventStore();
    const stream = `drive-${DRIVE_A}`;
    await rewound.append(stream, -1, await spec.events.readStream(stream, 0, 'forward', 15));
    spec = new EngineSpec({ side, events: rewound });
    const loaded = await load();
    expect(loaded.snapshot_revision).toBe(9);
    expect(loaded.folded.state.revision).toBe(14);
  });

  it('that cannot be read are dropped, and an older one serves', async () => {
    await write(25);
    const snapshot = (await side.snapshots.latest(DRIVE_A, SNAPSHOT_VERSION, Infinity))!;
    await side.snapshots.put({ ...snapshot, body: snapshot.body.subarray(0, 100) });
    const loaded = await load();
    expect(loaded.snapshot_revision).toBe(9);
    expect(await revisions()).toEqual([9]);
    expect(loaded.folded.hash.root()).toBe((await spec.folded()).hash.root());
  });

  it('of another shape are not used', async () => {
    await write(12);
    const snapshot = (await side.snapshots.latest(DRIVE_A, SNAPSHOT_VERSION, Infinity))!;
    await side.snapshots.drop(DRIVE_A, [snapshot.revision]);
    await side.snapshots.put({ ...snapshot, state_version: 'state-0-shape-0' });
    expect((await load()).snapshot_revision).toBeNull();
  });

  it('are thinned within their budget: the newest and the oldest stay, the past grows coarser', async () => {
    await write(200);
    const bytes = (await side.snapshots.list(DRIVE_A)).at(-1)!.bytes;
    spec = spec.restarted({ snapshot_every_events: EVERY, snapshot_disk_bytes: 8 * bytes });
    await write(200);
    const kept = await side.snapshots.list(DRIVE_A);
    expect(kept.reduce((sum, snapshot) => sum + snapshot.bytes, 0)).toBeLessThanOrEqual(8 * bytes);
    const gaps = kept.slice(1).map(({ revision }, at) => revision - kept[at]!.revision);
    expect(kept[0]!.revision).toBe(9);
    expect(kept.at(-1)!.revision).toBeGreaterThan(389);
    expect(gaps.at(-1)).toBeLessThanOrEqual(2 * EVERY);
    expect(gaps[0]).toBeGreaterThanOrEqual(gaps.at(-1)!);
  });

  it('that fail are reported, and commands go on', async () => {
    const failing: SnapshotStore = Object.create(side.snapshots);
    failing.put = () => Promise.reject(new Error('the disk is full'));
    spec = new EngineSpec({
      side: { ...side, snapshots: failing, close: () => side.close() },
      limits: { snapshot_every_events: 1 },
    });
    await spec.spawn('DriveID_b');
    await spec.run(Note, { payload: 'noted' }, { drive_id: 'DriveID_b' });
    await spec.drives.close();
    expect(spec.reports.map(({ what }) => what)).toContain('snapshot failed');
    expect((await spec.events.head('drive-DriveID_b'))?.revision).toBe(1);
  });

  it('hold the state at which they were due, whatever commands come while they are made', async () => {
    const eager = spec.restarted({ snapshot_every_events: 1 });
    await eager.group('A');
    // Not awaited: the snapshot of revision 0 is being made now.
    await Promise.all(Array.from({ length: 40 }, (_, at) => eager.group(`B${at}`)));
    await eager.drives.close();
    const first = (await side.snapshots.latest(DRIVE_A, SNAPSHOT_VERSION, 0))!;
    expect(first.revision).toBe(0);
    const loaded = await spec.drives.loader.load(DRIVE_A, { to: 1 });
    expect(loaded.snapshot_revision).toBe(0);
    expect(loaded.folded.state.groups.size).toBe(2);
  });

  it('serve a restart just after them', async () => {
    await write(10);
    const loaded = await load();
    expect([loaded.snapshot_revision, loaded.events_folded]).toEqual([9, 1]);
  });

  it('make a load long if they are large, or if many events follow them', async () => {
    const isLong = async (bytes: number, head: number): Promise<boolean> => {
      const events: MemoryEventStore = Object.create(spec.events);
      events.head = async () => ({ revision: head }) as StoredEvent;
      const list = async () => [{ revision: 9, state_version: SNAPSHOT_VERSION, bytes }];
      const snapshots: SnapshotStore = Object.assign(Object.create(side.snapshots), { list });
      return new StateLoader(
        events,
        { ...side, snapshots, close: () => side.close() },
        Infinity,
      ).isLong(DRIVE_A);
    };
    expect(await isLong(4 * 2 ** 20, 50_009)).toBe(false);
    expect(await isLong(4 * 2 ** 20 + 1, 12)).toBe(true);
    expect(await isLong(100, 50_010)).toBe(true);
    // A snapshot of the end is not used.
    expect(await isLong(4 * 2 ** 20 + 1, 9)).toBe(false);
  });

  it('are made by the given maker', async () => {
    const asked: number[] = [];
    const own = new FoldedSnapshots(spec.drives.loader);
    const snapshots: SnapshotMaker = {
      make(drive_id, revision) {
        asked.push(revision);
        return own.make(drive_id, revision);
      },
    };
    const { store: events } = spec.events;
    const limits = { snapshot_every_events: EVERY };
    spec = new EngineSpec({ side, events, limits, background: { snapshots } });
    await write(25);
    expect(asked).toEqual([9, 19]);
    expect(await revisions()).toEqual([9, 19]);
  });

  it('hold no shutdown up for long', async () => {
    const { store: events } = spec.events;
    const limits = { snapshot_every_events: EVERY };
    let is_made = false;
    const snapshots: SnapshotMaker = {
      // As a thread with little processor time.
      make: () => unlessAbandoned(new Promise<never>(() => (is_made = true))),
    };
    spec = new EngineSpec({ side, events, limits, background: { snapshots } });
    for (let at = 0; at < EVERY; at++) await spec.group(`G${at}`);
    expect(is_made).toBe(true);
    await spec.drives.close();
    expect([await revisions(), spec.reports]).toEqual([[], []]);
  });
});
