import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { SnapshotThread } from '../../apps/background/snapshot-thread.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { readSnapshot } from '../../libs/engine/snapshots/snapshot.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { openStores, type Stores } from '../../libs/stores/open.js';
import { buildServer } from '../support/processes.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = pathToFileURL(join(ROOT, 'dist', 'apps', 'background', 'main.js'));
const MOST_BYTES = 1024 ** 3;
const EVERY = 10;
const BUILD_MS = 300_000;

/** From 0 to below 1. */
const random = (): number => randomBytes(1)[0]! / 256;

describe('the snapshot thread', () => {
  let data_dir: string;
  let stores: Stores;
  let thread: SnapshotThread;
  let spec: EngineSpec;

  beforeAll(() => buildServer(), BUILD_MS);
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-snapshots-'));
    const settings = loadSettings({ DATA_DIR: data_dir });
    stores = await openStores(settings, {
      ...{ to: 'serve', schema: READ_SCHEMA, max_append_bytes: settings.batch_max_bytes },
    });
    thread = new SnapshotThread(settings, MOST_BYTES, PROGRAM);
    spec = engine();
    await spec.spawn();
  });
  afterEach(async () => {
    await spec.drives.close();
    await thread.close();
    await stores.close();
    await rm(data_dir, { recursive: true, force: true });
  });

  function engine(): EngineSpec {
    const { events, side } = stores;
    const limits = { snapshot_every_events: EVERY };
    return new EngineSpec({ events, side, limits, snapshots: thread });
  }
  const groups = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++) await spec.group(`G${at}`);
  };
  const idle = () => spec.drives['snapshotter'].idle();
  const kept = async () => (await stores.side.snapshots.list(DRIVE_A)).map((one) => one.revision);

  it('makes the same snapshots as the engine itself', async () => {
    for (let at = 0; at < 25; at++) {
      await groups(1);
      await idle();
    }
    expect(await kept()).toEqual([9, 19]);
    const loaded = await spec.drives.loader.load(DRIVE_A, { to: Infinity });
    expect(loaded.snapshot_revision).toBe(19);
    expect(loaded.folded.hash.root()).toBe((await spec.folded()).hash.root());
    const own = await new EngineSpec({
      events: stores.events,
      side: stores.side,
    }).drives.loader.load(DRIVE_A, { to: 19 });
    const made = await thread.make(DRIVE_A, 19);
    const read = await readSnapshot(DRIVE_A, made.body);
    expect(read.hash.root()).toBe(own.folded.hash.root());
    expect(read.frontier.toJSON()).toEqual(own.folded.frontier.toJSON());
    expect(made).toMatchObject({ revision: 19, drive_id: DRIVE_A });
    expect(Buffer.from(made.event_hash)).toEqual(Buffer.from(own.last_event!.hash));
  });

  it('may end at any time: that is reported, nothing is lost, and the next snapshot starts another', async () => {
    const timers: NodeJS.Timeout[] = [];
    for (let round = 0; round < 20; round++) {
      const writing = groups(EVERY);
      const end_ms = Math.floor(random() * 300);
      if (random() < 0.7) timers.push(setTimeout(() => void thread.end(), end_ms));
      await writing;
      if (random() < 0.5) await idle();
    }
    for (const timer of timers) clearTimeout(timer);
    await thread.end();
    await idle();
    const before = (await kept()).length;
    await groups(EVERY);
    await idle();
    expect((await kept()).length).toBeGreaterThan(before);
    for (const { what, error } of spec.reports) {
      expect(what).toBe('snapshot failed');
      expect(String(error)).toContain('the snapshot thread ended');
    }
    const revision = (await spec.drives.open(DRIVE_A)).head.revision;
    const hash = (await spec.folded()).hash.root();
    for (const [nth, snapshot] of (await kept()).entries()) {
      const to = Math.min(revision, snapshot + 1 + nth);
      const from_snapshot = await spec.drives.loader.load(DRIVE_A, { to });
      const anew = await spec.drives.loader.load(DRIVE_A, { to, verify: true });
      expect(from_snapshot.snapshot_revision).not.toBeNull();
      expect(from_snapshot.folded.hash.root()).toBe(anew.folded.hash.root());
    }
    await spec.drives.close();
    spec = engine();
    const again = await spec.drives.open(DRIVE_A);
    expect(again.head.revision).toBe(revision);
    expect(again.folded.hash.root()).toBe(hash);
  }, 120_000);

  it('fails for a stream that is not there, and at its own end, and goes on', async () => {
    await expect(thread.make('DriveID_none', 5)).rejects.toThrow(
      'no event of DriveID_none is stored',
    );
    await groups(3);
    const lost = thread.make(DRIVE_A, 2);
    await thread.end();
    await expect(lost).rejects.toThrow('the snapshot thread ended');
    await expect(thread.make(DRIVE_A, 2)).resolves.toMatchObject({ revision: 2 });
  });
});
