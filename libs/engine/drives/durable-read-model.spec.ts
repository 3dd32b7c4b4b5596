import { jest } from '@jest/globals';
import { StoreUnavailable } from '../../event-store/port.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import { contactCommands } from '../../domain/contacts/commands.js';
import { EVERYONE } from '../../domain/testing/drive.js';
import { rebuildReadModel } from '../read-models/rebuild.js';
import { Gate } from '../testing/faulty-events.js';
import { verifyDrive } from '../verify/verifier.js';
import { type ProcessRole, ROLES } from './role.js';
import { DRIVE_A, EngineSpec, PEER, SPEC_SCHEMA } from '../testing/engine.js';
import { DurableModel } from '../testing/durable-model.js';
import { eventually } from '../testing/eventually.js';

const progress = () => ({ events_folded: 0, events_total: 0, documents_written: 0 });

describe('a read model that outlives the process', () => {
  let events: MemoryEventStore;
  let side: MemorySideStores;
  let model: DurableModel;
  let open: EngineSpec[];

  const process = async (
    options: { role?: ProcessRole; state_cache_bytes?: number } = {},
  ): Promise<EngineSpec> => {
    const { role = PEER, state_cache_bytes } = options;
    const limits = state_cache_bytes === undefined ? {} : { limits: { state_cache_bytes } };
    const spec = new EngineSpec({ events, side, read_model: model, role, ...limits });
    await spec.drives.start();
    open.push(spec);
    return spec;
  };
  /** Ends a process as a crash would, as far as the read model sees. */
  const end = async (spec: EngineSpec): Promise<void> => {
    open = open.filter((one) => one !== spec);
    await spec.drives.close();
  };
  const checkpoint = async (drive_id = DRIVE_A) => (await model.checkpoint(drive_id))!;
  const isAtHead = async (): Promise<boolean> => {
    const head = (await events.head(`drive-${DRIVE_A}`))!;
    return (await model.checkpoint(DRIVE_A))?.revision === head.revision;
  };

  beforeEach(() => {
    events = new MemoryEventStore();
    side = new MemorySideStores();
    model = new DurableModel(SPEC_SCHEMA);
    open = [];
  });

  afterEach(async () => {
    await Promise.all(open.map((spec) => spec.drives.close()));
  });

  it('is left alone by a process that does not project: on load, in commands, and at the end', async () => {
    const api = await process({ role: ROLES.replica, state_cache_bytes: 9 * 800 });
    await api.spawn();
    await api.group('A');
    await api.spawn('DriveID_b');
    expect([...api.drives.inMemory()].map(({ drive_id }) => drive_id)).not.toContain(DRIVE_A);
    await api.drives.open(DRIVE_A);
    expect(await model.checkpoint(DRIVE_A)).toBeNull();
    expect(model.built).toEqual([]);
  });

  it('is brought up by the process that does, with the place where it stands', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    await api.group('A');
    await eventually(isAtHead);
    const { revision, hash } = (await events.head(`drive-${DRIVE_A}`))!;
    expect(await checkpoint()).toMatchObject({ revision, event_hash: hash });
    expect(await api.listedGroups()).toEqual(['A', 'Group for All']);
  });

  it('is kept when its drive leaves memory, and taken up where it stands', async () => {
    const only = await process({ role: ROLES.embedded, state_cache_bytes: 9 * 800 });
    await only.spawn();
    await only.group('A');
    const { generation } = await checkpoint();
    await only.spawn('DriveID_b');
    expect([...only.drives.inMemory()].map(({ drive_id }) => drive_id)).not.toContain(DRIVE_A);
    expect(await only.listedGroups()).toEqual(['A', 'Group for All']);
    await only.group('B');
    expect(await only.listedGroups()).toEqual(['A', 'B', 'Group for All']);
    expect((await checkpoint()).generation).toBe(generation);
    expect(model.built.filter((drive_id) => drive_id === DRIVE_A)).toHaveLength(1);
  });

  it('follows from its checkpoint after a restart, also past a newer snapshot', async () => {
    const first = await process();
    await first.spawn();
    await first.group('A');
    await end(first);
    const { generation, revision } = await checkpoint();
    const api = new EngineSpec({
      ...{ events, side, read_model: model, role: ROLES.replica },
    });
    open.push(api);
    await api.group('B');
    // A snapshot behind the checkpoint's back: what led to it must be folded all the same.
    const { head } = await api.drives.open(DRIVE_A);
    const eager = new EngineSpec({ events, side, limits: { snapshot_every_events: 1 } });
    await eager.note();
    await eager.drives['snapshotter'].idle();
    await eager.note();
    await eager.drives.close();
    expect((await side.snapshots.list(DRIVE_A)).at(-1)!.revision).toBeGreaterThan(head.revision);
    const next = await process();
    await next.drives.open(DRIVE_A);
    expect(await isAtHead()).toBe(true);
    expect(await next.listedGroups()).toEqual(['A', 'B', 'Group for All']);
    expect((await checkpoint()).generation).toBe(generation);
    expect((await checkpoint()).revision).toBeGreaterThan(revision);
  });

  it('of another past, as after a restored backup, is made anew and reported', async () => {
    const first = await process();
    await first.spawn();
    await first.group('Of the past that is gone');
    await end(first);
    const lost = await checkpoint();
    events = new MemoryEventStore();
    side = new MemorySideStores();
    const restored = await process();
    await restored.spawn();
    await restored.group('A');
    await restored.group('B');
    expect(await restored.listedGroups()).toEqual(['A', 'B', 'Group for All']);
    expect((await checkpoint()).generation).not.toBe(lost.generation);
    const anew = 'read model of a diverging history, rebuilt';
    expect(restored.reports.map(({ what }) => what)).toEqual([anew, anew]);
  });

  it.each(['ahead of', 'beside'])('standing %s the stream it is made anew', async (where) => {
    const writer = await process();
    await writer.spawn();
    await writer.group('A');
    await end(writer);
    const { generation, revision, event_hash } = await checkpoint();
    const wrong =
      where === 'ahead of'
        ? { revision: revision + 7, event_hash }
        : { revision: revision + 1, event_hash: new Uint8Array(32) };
    const source = { document: () => undefined, documents: () => [] };
    await model.apply({
      ...{ drive_id: DRIVE_A, generation, from_revision: revision },
      ...wrong,
      touched: [{ family: 'groups', id: 'GroupID_none' }],
      source,
    });
    const api = await process({ role: ROLES.replica });
    await api.group('B');
    const next = await process();
    await next.drives.open(DRIVE_A);
    expect(next.reports).toMatchObject([
      { what: 'read model of a diverging history, rebuilt', drive_id: DRIVE_A },
    ]);
    expect(await isAtHead()).toBe(true);
    expect(await next.listedGroups()).toEqual(['A', 'B', 'Group for All']);
  });

  it('that two processes bring up at one time is right, whoever is first', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const workers = [await process(), await process()];
    await Promise.all(workers.map(({ drives }) => drives.open(DRIVE_A)));
    for (let round = 0; round < 20; round++) await api.group(`G${round}`);
    await eventually(isAtHead);
    expect(await api.listedGroups()).toHaveLength(21);
    expect((await model.generations(DRIVE_A)).filter(({ active }) => active)).toHaveLength(1);
  });

  it('that a step failed on is mended without another event', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    let failures = 2;
    model.before_apply = () => {
      if (failures-- > 0) throw new Error('the database is away');
    };
    await api.group('A');
    await eventually(isAtHead);
    expect(failures).toBeLessThan(0);
    expect(await api.listedGroups()).toEqual(['A', 'Group for All']);
  });

  it('that a command could not be projected to is brought there without another write', async () => {
    const only = await process({ role: ROLES.embedded });
    await only.spawn();
    let failures = 3;
    model.before_apply = () => {
      if (failures-- > 0) throw new StoreUnavailable('the database is away');
    };
    await expect(only.group('A')).rejects.toThrow('outcome-unknown');
    const drive = await only.drives.open(DRIVE_A);
    expect([drive.lag_events, await isAtHead()]).toEqual([1, false]);
    await eventually(isAtHead);
    expect([failures, drive.lag_events]).toEqual([-1, 0]);
    expect(await only.listedGroups()).toEqual(['A', 'Group for All']);
    expect(only.reports.map(({ what }) => what)).toEqual(['drive does not catch up']);
    expect((only.reports[0]!.error as Error).message).toBe('the database is away');
  });

  it('that cannot be reached holds up nobody who reads while it is tried', async () => {
    const only = await process({ role: ROLES.embedded });
    await only.spawn();
    model.before_apply = () => Promise.reject(new StoreUnavailable('the database is away'));
    await expect(only.group('A')).rejects.toThrow('outcome-unknown');
    const gate = new Gate();
    jest.spyOn(model, 'checkpoint').mockImplementation(() => gate.pass().then(() => null));
    await gate.reached;
    const drive = await only.drives.open(DRIVE_A);
    expect(drive.is_durable).toBe(true);
    gate.open();
  });

  it('is rebuilt by a process that does not project while another one does', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    const drive = await worker.drives.open(DRIVE_A);
    await eventually(isAtHead);
    const { generation } = await checkpoint();
    const writing = (async () => {
      for (let round = 0; round < 40; round++) await api.group(`G${round}`);
    })();
    const rebuilt = await rebuildReadModel(api.drives, await api.drives.open(DRIVE_A), progress());
    await writing;
    // The worker learns of the new generation at its next event.
    await api.group('after');
    await eventually(isAtHead);
    const now = await checkpoint();
    expect(now.generation).not.toBe(generation);
    expect(now.revision).toBeGreaterThanOrEqual(rebuilt.revision);
    await eventually(() => drive['projector']!.generation === now.generation);
    expect(await api.listedGroups()).toHaveLength(42);
    expect(await model.generations(DRIVE_A)).toHaveLength(1);
  });

  it('switched under a step that goes to the old generation is still brought to the end', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    await eventually(isAtHead);
    let switched = false;
    model.before_apply = async ({ source, from_revision, generation }) => {
      if (switched || generation === 'another') return;
      switched = true;
      const { event_hash } = await checkpoint();
      const place = { revision: from_revision, event_hash };
      await model.build(DRIVE_A, 'another', place, source);
      await model.activate(DRIVE_A, 'another');
    };
    await api.group('A');
    await eventually(isAtHead);
    expect((await checkpoint()).generation).toBe('another');
    expect(await api.listedGroups()).toEqual(['A', 'Group for All']);
  });

  it('sweeps what a crash left half built, but not what another process may be at work on', async () => {
    const first = await process({ role: ROLES.embedded });
    await first.spawn();
    await end(first);
    const source = { document: () => undefined, documents: () => [] };
    const place = { revision: 0, event_hash: new Uint8Array(32) };
    const old = `${Date.now() - 7_200_000}-left-over`;
    const fresh = `${Date.now()}-at-work`;
    for (const generation of [old, fresh]) await model.build(DRIVE_A, generation, place, source);
    const names = async () =>
      (await model.generations(DRIVE_A)).map(({ generation }) => generation);
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    expect(await names()).toContain(fresh);
    expect(await names()).not.toContain(old);
    await end(worker);
    const only = await process({ role: ROLES.embedded });
    await only.drives.open(DRIVE_A);
    expect(await names()).toHaveLength(1);
  });

  it('sweeps what a crash left half built when a person is erased, and later what could be in progress', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    await eventually(isAtHead);
    const fresh = { subject_key_id: 'subject-ann', invite_id: 'GroupInviteID_ann' };
    const ann = { id: 'UserID_ann', name: 'Ann' };
    const { CreateContact, EraseContact } = contactCommands;
    await api.run(CreateContact, { ...ann, fresh: { ...fresh, code: '', code_digest: '' } });
    const source = { document: () => undefined, documents: () => [] };
    const place = { revision: 0, event_hash: new Uint8Array(32) };
    const old = `${Date.now() - 7_200_000}-left-over`;
    const young = `${Date.now()}-left-over`;
    for (const generation of [old, young]) await model.build(DRIVE_A, generation, place, source);
    const names = async () =>
      (await model.generations(DRIVE_A)).map(({ generation }) => generation);
    const later: (() => void)[] = [];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
      then: () => void,
      ms: number,
    ) => {
      if (ms === 3_600_000) later.push(then);
      else setImmediate(then);
      return { unref: () => {} };
    }) as never);
    expect(await api.run(EraseContact, { id: ann.id })).toMatchObject({ data: { erased: true } });
    await eventually(async () => !(await names()).includes(old));
    await eventually(() => later.length > 0);
    timers.mockRestore();
    expect(await names()).toContain(young);
    expect(later).toHaveLength(1);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
    later[0]!();
    await eventually(async () => (await names()).length === 1);
    clock.mockRestore();
  });

  it('is held against the fold where both stand at one revision, and what differs there is drift', async () => {
    const api = await process({ role: ROLES.replica });
    await api.spawn();
    const worker = await process();
    await worker.drives.open(DRIVE_A);
    const families = Object.keys(SPEC_SCHEMA);
    const verify = async () => verifyDrive(api.drives, await api.drives.open(DRIVE_A), families);
    const gate = new Gate();
    model.before_apply = () => gate.pass();
    await api.group('Late');
    const verifying = verify();
    await gate.reached;
    gate.open();
    expect(await verifying).toMatchObject({ valid: true, drift_documents: 0 });
    const { generation, revision } = await checkpoint();
    const { revision: next } = await api.note();
    await eventually(isAtHead);
    const { last_hash: event_hash } = (await api.drives.open(DRIVE_A)).head;
    await model.apply({
      ...{ drive_id: DRIVE_A, generation, from_revision: next, revision: next + 1 },
      ...{ event_hash, touched: [{ family: 'groups', id: EVERYONE }] },
      source: { document: () => undefined, documents: () => [] },
    });
    await worker.drives.close();
    await api.note();
    expect(next).toBe(revision + 1);
    expect(await verify()).toMatchObject({ valid: false, drift_documents: 1 });
  });

  describe('whose documents are ahead of its checkpoint, as a step writes them first', () => {
    /** A worker's step has changed a group and removed another; the checkpoint does not cover it yet. */
    const verifyWithin = async (rounds: number, has_drift = false) => {
      const api = await process({ role: ROLES.embedded });
      await api.spawn();
      for (const name of ['Changed', 'Removed']) await api.group(name, `GroupID_${name}`);
      let asked = 0;
      const entries = model.entries.bind(model);
      jest.spyOn(model, 'isWithinStep').mockImplementation(async () => asked++ < rounds);
      jest.spyOn(model, 'entries').mockImplementation(async (drive_id, family, ids) => {
        const right = await entries(drive_id, family, ids);
        if (asked >= rounds && !has_drift) return right;
        return right
          .filter(({ id }) => id !== 'GroupID_Removed')
          .map((one) => (one.id === 'GroupID_Changed' ? { ...one, revision: 99 } : one));
      });
      const drive = await api.drives.open(DRIVE_A);
      const verified = await verifyDrive(api.drives, drive, Object.keys(SPEC_SCHEMA));
      return { ...verified, asked };
    };

    it('differs from the fold until the step ends, and that is no drift', async () => {
      expect(await verifyWithin(3)).toMatchObject({ valid: true, drift_documents: 0 });
    });

    it('has drift if they still differ when it has ended', async () => {
      const found = { valid: false, drift_documents: 2, asked: 4 };
      expect(await verifyWithin(3, true)).toMatchObject(found);
    });

    it('has drift if the step never ends', async () => {
      expect(await verifyWithin(Infinity)).toMatchObject({ valid: false, drift_documents: 2 });
    });
  });
});
