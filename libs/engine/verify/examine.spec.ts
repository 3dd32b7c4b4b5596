import { factoryCommands } from '../../domain/factory/commands.js';
import { FACTORY_ID, streamOf } from '../fold/fold.js';
import { ROLES } from '../drives/role.js';
import { MemoryEventStore } from '../../event-store/sqlite/memory-event-store.js';
import type { Retention } from '../../event-store/port.js';
import { DurableModel } from '../testing/durable-model.js';
import { DRIVE_A, EngineSpec, SPEC_SCHEMA } from '../testing/engine.js';
import { type Examined, examineStores } from './examine.js';

/** A store that may drop events of one stream. */
class ForgetfulEvents extends MemoryEventStore {
  retention_of = new Map<string, Retention>();

  async retention(stream: string): Promise<Retention | null> {
    return this.retention_of.get(stream) ?? null;
  }
}

const HOW =
  'take that off, since a stream without its first events is not served. Until the next scavenge they are all ' +
  'there; see "Damaged streams" in docs/operations.md.';

describe('the examination of stores', () => {
  let events: ForgetfulEvents;
  let model: DurableModel;
  let spec: EngineSpec;

  const examined = async (check: Examined['check']): Promise<string[]> => {
    const found: string[] = [];
    const { side } = spec;
    const input = { events, side, documents: model, clock: () => spec.now };
    for await (const { state, says, ...one } of examineStores(input))
      if (one.check === check) found.push(`${state} ${says}`);
    return found;
  };

  beforeEach(async () => {
    events = new ForgetfulEvents();
    model = new DurableModel(SPEC_SCHEMA);
    spec = new EngineSpec({ events, read_model: model });
    await spec.spawn();
  });

  it('finds what lets the store drop events of a stream', async () => {
    expect(await examined('retention')).toEqual([]);
    const nothing = { max_age_s: null, max_count: null, truncate_before: null };
    events.retention_of.set('factory', { ...nothing, max_age_s: 60 });
    events.retention_of.set(`drive-${DRIVE_A}`, { ...nothing, max_count: 9, truncate_before: 3 });
    expect(await examined('retention')).toEqual([
      `bad The metadata of factory lets the event store drop all events older than 60 seconds ($maxAge): ${HOW}`,
      `bad The metadata of drive-${DRIVE_A} lets the event store drop all events but the last 9 ($maxCount), ` +
        `all before revision 3 ($tb): ${HOW}`,
    ]);
  });

  it('finds a gap in a stream', async () => {
    const [, second] = await Promise.all([spec.note(), spec.note()]);
    const readAll = events.readAll.bind(events);
    events.readAll = async (...asked) =>
      (await readAll(...asked)).filter(({ revision }) => revision !== second.revision - 1);
    expect(await examined('organization')).toEqual([
      `bad drive-${DRIVE_A} lacks the events ${second.revision - 1} to ${second.revision - 1}: see "Damaged streams" in docs/operations.md.`,
    ]);
  });

  it('finds an organization whose import was interrupted', async () => {
    const drive_id = 'DriveID_half';
    await spec.drives.commands.run(
      FACTORY_ID,
      factoryCommands.BeginImport,
      { drive_id },
      {
        ...{ credential: { kind: 'factory' }, correlation_id: 'import', reason: null },
        idempotency: null,
      },
    );
    expect(await examined('organization')).toEqual([
      `bad ${drive_id} is not served: its import has not ended. Unless it still runs, repeat the same ops import; it resumes.`,
    ]);
  });

  it('finds an import that was interrupted before the stream of the factory', async () => {
    const stream = streamOf(DRIVE_A);
    const [first] = await events.readStream(stream, 0, 'forward', 1);
    events = new ForgetfulEvents();
    expect(await examined('factory')).toEqual(['ok The factory names 0 organizations.']);
    await events.append(stream, -1, [first!]);
    expect(await examined('factory')).toEqual([
      'ok The factory names 0 organizations.',
      'bad There are events but none of the factory, so no organization is served: an import has not ended. ' +
        'Unless it still runs, repeat the same ops import; it resumes.',
    ]);
  });

  it('warns of an organization whose last event is later than the clock', async () => {
    const written = spec.now + 60_001;
    spec.now = written;
    await spec.note();
    spec.now = written - 60_000;
    expect(await examined('clock')).toEqual([]);
    spec.now -= 1;
    expect(await examined('clock')).toEqual([
      `warn ${DRIVE_A}: the last event is of ${new Date(written).toISOString()}, later than the clock here. ` +
        'Until then, further events have that time as well: see "A wrong clock" in docs/operations.md.',
    ]);
  });

  it('warns of what an earlier release left in the database of the documents', async () => {
    model.left_overs = ['read_model', 'read_model.contacts'];
    expect(await examined('documents')).toEqual([
      'warn MongoDB still holds documents of an earlier release (read_model, read_model.contacts), with secrets ' +
        'and personal data in clear. Once no process of that release runs, restart a worker: it drops them.',
    ]);
    const api = new EngineSpec({ events, side: spec.side, read_model: model, role: ROLES.replica });
    await api.drives.start();
    expect(await examined('documents')).toHaveLength(1);
    await spec.drives.start();
    expect(await examined('documents')).toEqual([]);
  });

  it('tells how far documents lag, and warns once that lasts', async () => {
    expect(await examined('documents')).toEqual([]);
    const other = new EngineSpec({
      events,
      side: spec.side,
      read_model: model,
      role: ROLES.replica,
    });
    await other.group('Not shown');
    await other.group('Not shown either');
    spec.now += 60_000;
    const says = `${DRIVE_A}: the documents lag by 2 events, the first of them 60 s old.`;
    expect(await examined('documents')).toEqual([`ok ${says}`]);
    spec.now += 1;
    expect(await examined('documents')).toEqual([`warn ${says}`]);
  });

  it('warns of documents of another past than the events', async () => {
    const restored = new EngineSpec({ side: spec.side });
    await restored.spawn(DRIVE_A, { organization_name: 'Restored' });
    events = Object.assign(restored.events.store as MemoryEventStore, {
      retention_of: new Map<string, Retention>(),
      retention: async () => null,
    });
    const [finding, ...more] = await examined('documents');
    expect(finding).toContain(`warn ${DRIVE_A}: the documents diverge from the events`);
    expect(more).toEqual([]);
  });
});
