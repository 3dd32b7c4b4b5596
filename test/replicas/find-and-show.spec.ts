import { ROLES } from '../../libs/engine/drives/role.js';
import { labelCommands } from '../../libs/domain/labels/commands.js';
import { labelReads } from '../../libs/domain/labels/reads.js';
import { permissionCommands } from '../../libs/domain/permissions/definitions.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { isRefused } from '../../libs/engine/writer/call.js';
import { reach } from '../../libs/engine/following/reach.js';
import { rebuildReadModel } from '../../libs/engine/read-models/rebuild.js';
import { DurableModel } from '../../libs/engine/testing/durable-model.js';
import {
  DRIVE_A,
  EngineSpec,
  type EngineSpecOptions,
  PEER,
  request,
} from '../../libs/engine/testing/engine.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { Gate } from '../../libs/engine/testing/faulty-events.js';
import { type ListPage, listRecords } from '../../libs/application/list-records.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';

const MEMBER = 'UserID_member';
const GRANT = 'SystemPermissionID_member';

interface Shown {
  readonly values: string[];
  readonly total: number;
  readonly revision: number;
}

/** Labels, which only those may see who hold VIEW on their table. */
describe('what the read model finds and the state shows', () => {
  let model: DurableModel;
  let writer: EngineSpec;
  /** A replica that nobody tells of what is written: it lags for as long as it is not asked to follow. */
  let lagging: EngineSpec;
  let worker: EngineSpec;

  const labels = async (on: EngineSpec, user_id = MEMBER): Promise<Shown | string> => {
    const credential = { kind: 'signature', user_id } as const;
    const input = { filters: '', page_size: 50, direction: 'ASC' } as const;
    const outcome = await listRecords(
      on.drives,
      labelReads,
      { drive_id: DRIVE_A, credential },
      input,
      () => ({}),
    );
    if (isRefused(outcome)) return outcome.refusal.refusal;
    const { items, total } = JSON.parse(outcome.data.text) as ListPage<{ value: string }>;
    return { values: items.map(({ value }) => value), total, revision: outcome.revision };
  };
  const create = async (value: string, on = writer): Promise<number> => {
    const fresh = { label_id: `LabelID_${value}` };
    const outcome = await on.run(labelCommands.CreateLabel, { value, fresh });
    if (isRefused(outcome)) throw new Error(outcome.refusal.refusal);
    return outcome.revision;
  };
  const grant = () =>
    writer.run(permissionCommands.CreateSystemPermission, {
      resource_id: 'TABLE_LABELS',
      granted_to: MEMBER,
      permission_types: ['VIEW'],
      fresh: { permission_id: GRANT, placeholder_id: 'p', code: 'c', code_digest: 'd' },
    });
  const revoke = () =>
    writer.run(permissionCommands.DeleteSystemPermission, { permission_id: GRANT });
  const projected = async (revision: number): Promise<void> => {
    await eventually(async () => ((await model.checkpoint(DRIVE_A))?.revision ?? -1) >= revision);
  };

  beforeEach(async () => {
    model = new DurableModel(READ_SCHEMA);
    const api: EngineSpecOptions = { read_model: model, role: ROLES.replica };
    writer = new EngineSpec(api);
    const stores = { events: writer.events.store, side: writer.side, read_model: model };
    await writer.drives.start();
    await writer.spawn();
    worker = new EngineSpec({ ...stores, role: PEER });
    await worker.drives.start();
    await worker.drives.open(DRIVE_A);
    lagging = new EngineSpec({ ...api, ...stores });
    await lagging.drives.open(DRIVE_A);
  });

  afterEach(async () => {
    await Promise.all([writer, lagging, worker].map(({ drives }) => drives.close()));
  });

  it('shows what this process has acknowledged, however far behind the read model is', async () => {
    const gate = new Gate();
    model.before_apply = () => gate.pass();
    const revision = await create('a');
    const listing = labels(writer, OWNER);
    await gate.reached;
    gate.open();
    expect(await listing).toEqual({ values: ['a'], total: 1, revision });
  });

  it('shows what this process has acknowledged as a repetition', async () => {
    await projected(await create('a'));
    await worker.drives.close();
    const repeat = (on: EngineSpec) =>
      on.drives.commands.run(
        DRIVE_A,
        labelCommands.CreateLabel,
        { value: 'b', fresh: { label_id: 'LabelID_b' } },
        {
          ...request({ kind: 'signature', user_id: OWNER }),
          idempotency: { key: 'key', body: 'body' },
        },
      );
    const first = await repeat(writer);
    expect(await repeat(lagging)).toMatchObject({ is_repeated: true, revision: first.revision });
    const listing = labels(lagging, OWNER);
    worker = new EngineSpec({
      ...{ events: writer.events.store, side: writer.side, read_model: model, role: PEER },
    });
    await worker.drives.open(DRIVE_A);
    expect(await listing).toEqual({ values: ['a', 'b'], total: 2, revision: first.revision });
  });

  it('is told to come back later when the read model does not follow in time', async () => {
    const { events, side } = writer;
    const shared = { events: events.store, side, read_model: model, role: ROLES.replica };
    const impatient = new EngineSpec({ ...shared, limits: { projection_wait_ms: 20 } });
    model.before_apply = () => Promise.reject(new Error('the database is away'));
    await create('a', impatient);
    await expect(labels(impatient, OWNER)).rejects.toMatchObject({ reason: 'read-model-behind' });
    await impatient.drives.close();
  });

  it('a replica that lags shows the old without Min-Drive-Revision, and never with it', async () => {
    await grant();
    await projected(await create('harmless'));
    await (await lagging.drives.open(DRIVE_A)).follow();
    await worker.drives.close();
    // The new enemy: first the member may see no more, then something secret goes in.
    const gone = await revoke();
    expect((await lagging.drives.open(DRIVE_A)).head.revision).toBeLessThan(gone.revision);
    const secret = await create('secret');
    // The anomaly: the member is still answered, as of before it lost the right, without the secret.
    const stale = await labels(lagging);
    expect(stale).toMatchObject({ values: ['harmless'], total: 1 });
    expect((stale as Shown).revision).toBeLessThan(gone.revision);
    // The guard: with the revision of the secret both the right and the records are as they must be.
    worker = new EngineSpec({
      ...{ events: writer.events.store, side: writer.side, read_model: model, role: PEER },
    });
    await worker.drives.open(DRIVE_A);
    const drive = await lagging.drives.open(DRIVE_A);
    expect(await reach(lagging.drives, drive, secret, 5_000)).toBe(true);
    expect(await labels(lagging)).toMatchObject({ values: [], total: 0 });
    expect(await labels(lagging, OWNER)).toMatchObject({ values: ['harmless', 'secret'] });
  });

  it('never shows new records by old rights, even if the read model is ahead of the replica', async () => {
    await grant();
    await projected(await create('harmless'));
    await (await lagging.drives.open(DRIVE_A)).follow();
    await revoke();
    await projected(await create('secret'));
    // The read model is past both, the replica knows of neither: it is brought up before it shows anything.
    expect(await labels(lagging)).toMatchObject({ values: [] });
  });

  it('what is found is shown as the state has it by then, and left out if it has gone', async () => {
    await create('kept');
    await projected(await create('gone'));
    const gate = new Gate();
    model.before_list = () => gate.pass();
    const listing = labels(writer, OWNER);
    await gate.reached;
    model.before_apply = () => Promise.reject(new Error('the database is away'));
    await writer.run(labelCommands.DeleteLabel, { id: 'LabelID_gone' });
    await writer.run(labelCommands.UpdateLabel, { id: 'LabelID_kept', value: 'renamed' });
    gate.open();
    expect(await listing).toMatchObject({ values: ['renamed'] });
  });

  it('whoever lost the right while the read model was asked sees nothing of what it found', async () => {
    await grant();
    await projected(await create('harmless'));
    const gate = new Gate();
    model.before_list = () => gate.pass();
    const listing = labels(writer);
    await gate.reached;
    await revoke();
    gate.open();
    expect(await listing).toMatchObject({ values: [] });
  });

  it('nothing undurable is shown', async () => {
    await projected(await create('durable'));
    const asked = new Gate();
    model.before_list = () => asked.pass();
    const listing = labels(writer, OWNER);
    await asked.reached;
    const gate = new Gate();
    writer.events.onAppend(async () => {
      await gate.pass();
      throw new Error('the disk is full');
    });
    const change = { id: 'LabelID_durable', value: 'never' };
    const failing = writer.run(labelCommands.UpdateLabel, change);
    await gate.reached;
    asked.open();
    await new Promise(setImmediate);
    gate.open();
    await expect(failing).rejects.toMatchObject({ reason: 'store-failed' });
    expect(await listing).toMatchObject({ values: ['durable'] });
  });

  it('is told to come back later while the read model is of events that the store has lost', async () => {
    const lost = await create('lost');
    await projected(lost);
    // As restored from a backup that was made before.
    const restored = new EngineSpec({ read_model: model, role: ROLES.replica });
    await restored.drives.start();
    await restored.spawn();
    expect((await restored.drives.open(DRIVE_A)).head.revision).toBeLessThan(lost);
    await expect(labels(restored, OWNER)).rejects.toMatchObject({ reason: 'read-model-behind' });
    await restored.drives.close();
  });

  it('goes on while another process rebuilds the read model', async () => {
    await projected(await create('a'));
    const progress = { events_folded: 0, events_total: 0, documents_written: 0 };
    const drive = await lagging.drives.open(DRIVE_A);
    const rebuilding = rebuildReadModel(lagging.drives, drive, progress);
    let is_done = false;
    void rebuilding.finally(() => (is_done = true));
    while (!is_done) {
      expect(await labels(writer, OWNER)).toMatchObject({ values: ['a'] });
      await new Promise(setImmediate);
    }
    await rebuilding;
  });
});
