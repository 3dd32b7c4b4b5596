import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { BackgroundThread, inBackground } from '../../apps/background/background-thread.js';
import { contactCommands } from '../../libs/domain/contacts/commands.js';
import { organizationCommands } from '../../libs/domain/organization/commands.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import type { EngineLimits } from '../../libs/engine/drives/limits.js';
import type { FarFolder } from '../../libs/engine/fold/far-folder.js';
import { streamOf } from '../../libs/engine/fold/fold.js';
import { type LoadedState, StateLoader } from '../../libs/engine/fold/loader.js';
import { UndoHistory } from '../../libs/engine/past/undo-history.js';
import type { AppendedIndex } from '../../libs/engine/read-models/index-feed.js';
import { FoldingIndexer } from '../../libs/engine/read-models/index-folder.js';
import { rebuildReadModels } from '../../libs/engine/read-models/rebuild.js';
import { readSnapshot } from '../../libs/engine/snapshots/snapshot.js';
import { Abandoned, type LongQuery, runForQuery } from '../../libs/engine/tasks/long-query.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA } from '../../libs/engine/testing/engine.js';
import { DurableModel } from '../../libs/engine/testing/durable-model.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { verifyDrive } from '../../libs/engine/verify/verifier.js';
import type { Unavailable } from '../../libs/engine/writer/call.js';
import { MemorySideStores } from '../../libs/event-store/memory/index.js';
import { openStores, type Stores } from '../../libs/stores/open.js';
import { buildServer } from '../support/processes.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PROGRAM = pathToFileURL(join(ROOT, 'dist', 'apps', 'background', 'main.js'));
const MOST_BYTES = 1024 ** 3;
const EVERY = 10;
const ANN = 'UserID_ann';
const DAY_MS = 86_400_000;

/** From 0 to below 1. */
const random = (): number => randomBytes(1)[0]! / 256;

describe('the background thread', () => {
  let data_dir: string;
  let stores: Stores;
  let thread: BackgroundThread;
  let spec: EngineSpec;
  let read_model: DurableModel;

  beforeAll(() => buildServer());
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-snapshots-'));
    const settings = loadSettings({ DATA_DIR: data_dir });
    stores = await openStores(settings, {
      ...{ to: 'serve', schema: READ_SCHEMA, max_append_bytes: settings.batch_max_bytes },
    });
    thread = new BackgroundThread(settings, MOST_BYTES, PROGRAM);
    spec = engine();
    await spec.spawn();
  });
  afterEach(async () => {
    await spec.drives.close();
    await thread.close();
    await stores.close();
    await rm(data_dir, { recursive: true, force: true });
  });

  function engine(limits: Partial<EngineLimits> = { snapshot_every_events: EVERY }): EngineSpec {
    const { events, side } = stores;
    read_model = new DurableModel(SPEC_SCHEMA);
    return new EngineSpec({ events, side, limits, read_model, background: inBackground(thread) });
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

  it('ends if it cannot open its stores while their server is away; a question may be repeated', async () => {
    const settings = loadSettings({
      ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: 'esdb://127.0.0.1:1?tls=false' },
      ...{ SIDE_STORE: 'sqlite', READ_MODEL: 'memory', DATA_DIR: data_dir },
    });
    const other = new BackgroundThread(settings, MOST_BYTES, PROGRAM);
    for (let asked = 0; asked < 10; asked++)
      await expect(other.make(DRIVE_A, 0)).rejects.toMatchObject({ reason: 'interrupted' });
    await other.end();
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
      expect(error).toMatchObject({ reason: 'interrupted' });
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
  });

  it('fails for a stream that is not there, and at its own end, and goes on', async () => {
    await expect(thread.make('DriveID_none', 5)).rejects.toThrow(
      'no event of DriveID_none is stored',
    );
    await groups(3);
    const lost = thread.make(DRIVE_A, 2);
    await thread.end();
    await expect(lost).rejects.toMatchObject({ reason: 'interrupted' });
    await expect(thread.make(DRIVE_A, 2)).resolves.toMatchObject({ revision: 2 });
  });

  it('indexes events as the engine itself does, and may end at any time: then it goes on where the index ends', async () => {
    await Promise.all(Array.from({ length: 3000 }, (_, at) => spec.note(at)));
    await groups(20);
    const to = (await spec.drives.open(DRIVE_A)).head.revision;
    const { signal } = new AbortController();
    const [own, made] = [new MemorySideStores().index, new MemorySideStores().index];
    const whole = { drive_id: DRIVE_A, index_id: 'i', from: null, to };
    await new FoldingIndexer(stores.events, spec.drives.loader).index(whole, own, signal);
    let ends = 0;
    const index: AppendedIndex = {
      append_events: 256,
      append(...chunk) {
        if (ends < 10 && random() < 0.7) {
          ends++;
          void thread.end();
        }
        return made.append(...chunk);
      },
    };
    const interrupted = (error: unknown): null => {
      expect(error).toMatchObject({ reason: 'interrupted' });
      return null;
    };
    const add = async () =>
      thread.index({ ...whole, from: await made.position('i') }, index, signal).catch(interrupted);
    for (let rounds = 0; (await add())?.revision !== to; rounds++) expect(rounds).toBeLessThan(20);
    expect(await made.position('i')).toEqual(await own.position('i'));
    const all = { from: 0, to: Infinity };
    for (const filter of [{}, { types: ['GroupCreated'] }, { resource_ids: ['n'] }])
      expect(await made.find('i', filter, all, 'ASC', 5000)).toEqual(
        await own.find('i', filter, all, 'ASC', 5000),
      );
    const stopping = new AbortController();
    const stopped = thread.index({ ...whole, index_id: 'j' }, made, stopping.signal);
    stopping.abort(new Error('stopping'));
    await expect(stopped).rejects.toThrow('stopping');
  });

  describe('folds long spans', () => {
    const MANY = 21_000;
    const load = (options: Parameters<StateLoader['load']>[1], far?: Pick<FarFolder, 'fold'>) =>
      new StateLoader(stores.events, stores.side, MOST_BYTES, far).load(DRIVE_A, options);
    /** What a caller sees of a loaded state. */
    const seen = ({ folded, last_event, ...others }: LoadedState) => ({
      hash: folded.hash.root(),
      log: folded.frontier.root().toString('hex'),
      last: last_event?.revision,
      ...{ events_folded: others.events_folded, last_touched: others.last_touched },
      from: others.snapshot_revision,
    });

    beforeEach(async () => {
      await spec.drives.close();
      // Few snapshots.
      spec = engine({});
      for (let at = 0; at < MANY; at += 1000)
        await Promise.all(Array.from({ length: 1000 }, (_, nth) => spec.note(at + nth)));
      await groups(5);
      await idle();
      const { snapshots } = stores.side;
      await snapshots.drop(DRIVE_A, await kept());
    });

    it('to the same states: of now, of then, verified, and for going back', async () => {
      const far: Pick<FarFolder, 'fold'> = { fold: jest.fn(thread.fold.bind(thread)) };
      const head = (await spec.drives.open(DRIVE_A)).head.revision;
      for (const to of [Infinity, head, head - 2])
        for (const verify of [false, true]) {
          const whole = await load({ to, verify }, far);
          expect(seen(whole)).toEqual(seen(await load({ to, verify })));
          expect(whole.made).toMatchObject({ revision: Math.min(to, head) - 1 });
        }
      expect(far.fold).toHaveBeenCalledTimes(6);
      const history = new UndoHistory(10_000);
      await load({ to: head, undo_steps: history }, far);
      expect(history.reaches(head - 1_000)).toBe(true);
      // From a snapshot that is near it folds itself.
      await stores.side.snapshots.put(await thread.make(DRIVE_A, head - 3));
      const near = await load({ to: head }, far);
      expect(near).toMatchObject({ made: null, snapshot_revision: head - 3, events_folded: 3 });
    });

    it('and keeps the snapshot that a drive was opened from', async () => {
      await spec.drives.close();
      spec = engine({});
      const { head } = await spec.drives.open(DRIVE_A);
      expect(await kept()).toEqual([head.revision - 1]);
      await spec.group('Next');
      await spec.drives.close();
      spec = engine({});
      expect((await spec.drives.open(DRIVE_A)).head.revision).toBe(head.revision + 1);
      expect(await spec.listedGroups()).toContain('Next');
    });

    it('and knows of events that this release does not know', async () => {
      const { hash, revision } = (await spec.drives.events.head(streamOf(DRIVE_A)))!;
      await spec.drives.close();
      const unknown = ['one', 'two'].map((event_id) => ({
        ...{ event_id, type: 'TimeMachineBuilt', version: 1 },
        ...{ timestamp_ms: spec.now, metadata: '{}', data: '{}', hash },
      }));
      await stores.events.append(streamOf(DRIVE_A), revision, unknown);
      spec = engine({});
      await expect(spec.group('A')).rejects.toMatchObject({ reason: 'closed' });
      expect(await kept()).toEqual([]);
      expect(await thread.fold(DRIVE_A, revision + 1, false)).toBeNull();
    });

    it('and rebuilds what is derived, while commands go on, or nothing of it', async () => {
      const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
      const rebuild = async () => rebuildReadModels(spec.drives, DRIVE_A, progress);
      const generation = async () => (await read_model.checkpoint(DRIVE_A))?.generation;
      const { index } = stores.side;
      const before = await generation();
      const ending = rebuild();
      await eventually(async () => progress.events_folded > 0);
      await thread.end();
      await expect(ending).rejects.toMatchObject({ reason: 'interrupted' });
      expect(await generation()).toBe(before);
      progress.events_folded = 0;
      const rebuilding = rebuild();
      await spec.group('Meanwhile');
      await rebuilding;
      expect(await generation()).not.toBe(before);
      const { head } = await spec.drives.open(DRIVE_A);
      expect(progress.events_folded).toBe(head.revision + 1);
      expect(await index.position(DRIVE_A)).toMatchObject({ revision: head.revision });
      const all = { from: 0, to: Infinity };
      expect(await index.count(DRIVE_A, {}, all)).toBe(head.revision + 1);
      expect(await index.count(DRIVE_A, { types: ['GroupCreated'] }, all)).toBe(6);
      expect(await spec.listedGroups()).toContain('Meanwhile');
      await spec.group('After');
      const families = Object.keys(SPEC_SCHEMA);
      const drive = await spec.drives.open(DRIVE_A);
      expect(await verifyDrive(spec.drives, drive, families)).toMatchObject({ valid: true });
      expect(drive.folded.hash.root()).toBe((await spec.folded()).hash.root());
    });

    it('and names the first damaged event', async () => {
      const db = new DatabaseSync(join(data_dir, 'events.db'));
      db.exec("UPDATE events SET data = replace(data, ':7000', ':7001') WHERE revision = 7001");
      db.close();
      const broken = { name: 'BrokenStream', drive_id: DRIVE_A, revision: 7001 };
      await expect(load({ to: MANY, verify: true }, thread)).rejects.toMatchObject(broken);
    });

    it('here if the thread ends or cannot read the stores, and not at all for a caller who has gone, or beyond the memory limit', async () => {
      const ending: Pick<FarFolder, 'fold'> = {
        fold(...asked) {
          const folding = thread.fold(...asked);
          void thread.end();
          return folding;
        },
      };
      expect(await load({ to: MANY }, ending)).toMatchObject({
        made: null,
        events_folded: MANY + 1,
      });
      const gone = new AbortController();
      const query = { signal: gone.signal, begin() {}, folded: () => gone.abort(), end() {} };
      const left = runForQuery(query, () => load({ to: MANY }, thread));
      await expect(left).rejects.toThrow(Abandoned);
      const elsewhere = loadSettings({ DATA_DIR: join(data_dir, 'none') });
      const lost = new BackgroundThread(elsewhere, MOST_BYTES, PROGRAM);
      expect(await load({ to: MANY }, lost)).toMatchObject({ made: null });
      const small = new BackgroundThread(loadSettings({ DATA_DIR: data_dir }), 10_000, PROGRAM);
      await expect(load({ to: Infinity }, small)).rejects.toMatchObject({ name: 'TooLarge' });
      await small.close();
    });
  });

  describe('verifies a drive', () => {
    const verify = async (query?: LongQuery) => {
      const drive = await spec.drives.open(DRIVE_A);
      return runForQuery(query, () => verifyDrive(spec.drives, drive, Object.keys(SPEC_SCHEMA)));
    };
    /** Calls a function once, when the read model is asked for entries. */
    const whenAsked = (act: () => unknown): void => {
      const entries = read_model.entries.bind(read_model);
      read_model.entries = async (...asked) => {
        read_model.entries = entries;
        const found = await entries(...asked);
        await act();
        return found;
      };
    };
    const revision = async () => (await spec.drives.open(DRIVE_A)).head.revision;

    beforeEach(() => groups(20));

    it('while commands go on, and also what they change', async () => {
      expect(await verify()).toMatchObject({ valid: true, checked_events: 21, drift_documents: 0 });
      whenAsked(() => spec.group('Meanwhile'));
      expect(await verify()).toMatchObject({ valid: true, checked_events: 22, revision: 21 });
    });

    it('whose entries differ from the fold', async () => {
      const entries = read_model.entries.bind(read_model);
      read_model.entries = async (...asked) =>
        (await entries(...asked)).map((entry) =>
          entry.revision === 7 ? { ...entry, fingerprint: 'another' } : entry,
        );
      // A group, and the invite that came with it.
      const found = { valid: false, drift_documents: 2, first_bad_revision: 7 };
      expect(await verify()).toMatchObject(found);
    });

    it('with names that only its keys open, and that are erased meanwhile', async () => {
      const ids = { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann' };
      await spec.run(contactCommands.CreateContact, {
        id: ANN,
        name: 'Ann Archer',
        fresh: { ...ids, code: '', code_digest: '' },
      });
      expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
      const fresh = { subject_key_id: 'unused', everyone_invite_id: 'unused' };
      for (const wait_ms of [0, 2 * DAY_MS]) {
        spec.now += wait_ms;
        await spec.run(organizationCommands.TransferOwnership, { next_owner_id: ANN, fresh });
      }
      // Records of other families hold what was copied from the contact.
      const as_ann = { user_id: ANN };
      whenAsked(() => spec.run(contactCommands.EraseContact, { id: OWNER }, as_ann));
      expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
      expect(await verify()).toMatchObject({ valid: true, drift_documents: 0 });
    });

    it('and gives up when the caller has gone', async () => {
      const gone = new AbortController();
      let folded = 0;
      const query: LongQuery = {
        ...{ signal: gone.signal, begin() {}, end() {} },
        folded: (events) => void (folded += events),
      };
      whenAsked(() => gone.abort());
      await expect(verify(query)).rejects.toThrow(Abandoned);
      expect(folded).toBe(21);
      expect(await verify()).toMatchObject({ valid: true });
    });

    it('and may end at any time: the caller is told, and commands go on', async () => {
      const outcomes = new Set<string>();
      // The start of the thread is part of every round.
      await thread.end();
      const begun = performance.now();
      await verify();
      let most_ms = 1.5 * (performance.now() - begun);
      await thread.end();
      for (let round = 0; round < 30; round++) {
        const verifying = verify().then(
          ({ valid }) => `valid ${valid}`,
          (error: unknown) => (error as Unavailable).reason,
        );
        const writing = groups(3);
        await after(random() * most_ms);
        await thread.end();
        outcomes.add(await verifying);
        // The machine may be slower now.
        if (!outcomes.has('valid true')) most_ms *= 1.2;
        await writing;
      }
      expect(outcomes).toContain('interrupted');
      expect(outcomes).toContain('valid true');
      expect([...outcomes].filter((one) => !['interrupted', 'valid true'].includes(one))).toEqual(
        [],
      );
      expect(await verify()).toMatchObject({ valid: true, revision: await revision() });
    });

    it('and lets commands go on if it ends while it holds their queue', async () => {
      const drive = await spec.drives.open(DRIVE_A);
      const { promise: held, resolve } = Promise.withResolvers<void>();
      const exclusively = drive.exclusively.bind(drive);
      drive.exclusively = (task) => {
        drive.exclusively = exclusively;
        return exclusively(() => {
          resolve();
          return task();
        });
      };
      const verifying = verify();
      const ended = held.then(() => thread.end());
      await expect(verifying).rejects.toMatchObject({ reason: 'interrupted' });
      await ended;
      await spec.group('After');
      expect(await verify()).toMatchObject({ valid: true, revision: await revision() });
    });
  });
});
