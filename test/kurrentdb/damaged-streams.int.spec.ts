/** Streams damaged by other tools, under a live process and before one starts. */
import { randomUUID } from 'node:crypto';
import { jsonEvent, KurrentDBClient } from '@kurrent/kurrentdb-client';
import { readiness } from '../../apps/api/system/readiness.js';
import { outcomeOf } from '../../apps/background/failures.js';
import { failureError } from '../../apps/api/drive/drive-api.js';
import { ApiError } from '../../apps/api/platform/errors.js';
import { BeginFeed, EventFeeds } from '../../libs/application/feed/feed.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { streamOf } from '../../libs/engine/fold/fold.js';
import { resolvePoint } from '../../libs/engine/past/points.js';
import { MemorySideStores } from '../../libs/event-store/memory/index.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import {
  EventMissing,
  type EventStore,
  ForeignEvent,
  StreamDeleted,
} from '../../libs/event-store/port.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { EngineSpec, PEER } from '../../libs/engine/testing/engine.js';
import {
  describeOrganizations,
  type OrganizationSummary,
} from '../../libs/application/factory/organizations.js';
import { exportedKeys, exportedParts, planExport } from '../../libs/engine/transfer/export.js';
import { type ImportedStream, importStreams } from '../../libs/engine/transfer/import.js';
import { type StreamReport, verifyFolder } from '../../libs/engine/verify/folder.js';
import { type Examined, examineStores } from '../../libs/engine/verify/examine.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';

let server: KurrentServer;
let client: KurrentDBClient;
const open: { spec: EngineSpec; store: EventStore }[] = [];
let side: MemorySideStores;

beforeEach(async () => {
  server = await startKurrentServer();
  client = KurrentDBClient.connectionString(server.url);
  side = new MemorySideStores();
});
afterEach(async () => {
  for (const { spec, store } of open.splice(0)) {
    await spec.drives.close();
    await store.close();
  }
  await client.dispose();
  await server.close();
});

/** A process of its own on the server. */
async function start(): Promise<EngineSpec> {
  const store = await openKurrentEventStore({ url: server.url, deadline_ms: 10_000 });
  const spec = new EngineSpec({ events: store, side, role: PEER });
  open.push({ spec, store });
  spec.now = Date.now();
  await spec.drives.start();
  return spec;
}

async function stop(spec: EngineSpec): Promise<void> {
  const at = open.findIndex((one) => one.spec === spec);
  await spec.drives.close();
  await open[at]!.store.close();
  open.splice(at, 1);
}

/** An organization with 8 events or so. */
async function organization(spec: EngineSpec, drive_id: string): Promise<void> {
  await spec.spawn(drive_id);
  for (let nth = 0; nth < 3; nth += 1) await spec.group(`G ${nth}`, undefined, { drive_id });
}

const appendForeign = (stream: string) =>
  client.appendToStream(stream, [
    jsonEvent({ id: randomUUID(), type: 'Migrated', data: { by: 'somebody else' } }),
  ]);

/** Resolves once a process knows of damage, or of none. */
async function known(spec: EngineSpec, drive_id: string, kind: string | undefined): Promise<void> {
  await eventually(() => spec.drives.damaged.get(drive_id)?.kind === kind);
}

const groups = (spec: EngineSpec, drive_id: string) =>
  spec.drives.read(drive_id, ({ state }) => [...state.groups.ids()].length);

const DAMAGES: [string, string, (stream: string) => Promise<unknown>, string][] = [
  ['$maxCount', 'cut', (stream) => client.setStreamMetadata(stream, { maxCount: 2 }), '$maxCount'],
  [
    '$maxCount above its length',
    'limited',
    (stream) => client.setStreamMetadata(stream, { maxCount: 500 }),
    '$maxCount',
  ],
  ['$maxAge', 'limited', (stream) => client.setStreamMetadata(stream, { maxAge: 3600 }), '$maxAge'],
  [
    'truncateBefore',
    'cut',
    (stream) => client.setStreamMetadata(stream, { truncateBefore: 2 }),
    '$tb',
  ],
  ['a soft delete', 'deleted', (stream) => client.deleteStream(stream), 'take $tb off'],
];

describe('a stream damaged under a live process', () => {
  it.each(DAMAGES)(
    'by %s closes the organization to commands, is told once, and opens again when that is undone',
    async (_, kind, damage, told) => {
      const spec = await start();
      await organization(spec, 'DriveID_damaged');
      await organization(spec, 'DriveID_sound');
      await damage('drive-DriveID_damaged');
      await known(spec, 'DriveID_damaged', kind);

      const refused = spec.group('late', undefined, { drive_id: 'DriveID_damaged' });
      await expect(refused).rejects.toMatchObject({ reason: 'broken' });
      expect(await groups(spec, 'DriveID_damaged')).toBe(4);
      await spec.group('goes on', undefined, { drive_id: 'DriveID_sound' });
      expect(await readiness(spec.drives)).toMatchObject({
        ready: true,
        closed_drives: ['DriveID_damaged'],
        damaged_drives: [
          { drive_id: 'DriveID_damaged', kind, says: expect.stringContaining(told) },
        ],
      });
      expect(spec.drives.damaged.counts()).toMatchObject({ [kind]: 1 });
      expect(spec.notices).toHaveLength(1);
      expect(spec.notices[0]).toContain('drive-DriveID_damaged');

      await client.setStreamMetadata('drive-DriveID_damaged', {});
      await known(spec, 'DriveID_damaged', undefined);
      await spec.group('open again', undefined, { drive_id: 'DriveID_damaged' });
      expect(await groups(spec, 'DriveID_damaged')).toBe(5);
      expect(await readiness(spec.drives)).toMatchObject({ closed_drives: [], damaged_drives: [] });
      expect(spec.notices).toHaveLength(2);
    },
  );

  it('is noticed also when it happened while the subscription was broken', async () => {
    const spec = await start();
    await organization(spec, 'DriveID_damaged');
    await server.failSubscriptions();
    await client.setStreamMetadata('drive-DriveID_damaged', { maxCount: 2 });
    await known(spec, 'DriveID_damaged', 'cut');
    const refused = spec.group('late', undefined, { drive_id: 'DriveID_damaged' });
    await expect(refused).rejects.toMatchObject({ reason: 'broken' });
  });

  it('may be the factory’s own: nothing new is named, and all goes on that was', async () => {
    const spec = await start();
    await organization(spec, 'DriveID_sound');
    await client.setStreamMetadata('factory', { maxCount: 500 });
    await known(spec, 'factory', 'limited');
    await expect(spec.spawn('DriveID_new')).rejects.toMatchObject({ reason: 'broken' });
    await spec.group('goes on', undefined, { drive_id: 'DriveID_sound' });
    await client.setStreamMetadata('factory', {});
    await known(spec, 'factory', undefined);
    await spec.spawn('DriveID_newer');
  });

  it('is none where metadata say nothing of dropping events, or the stream is no organization’s', async () => {
    const spec = await start();
    await organization(spec, 'DriveID_sound');
    await client.setStreamMetadata('drive-DriveID_stray', { maxCount: 1 });
    await client.setStreamMetadata('drive-DriveID_sound', { cacheControl: 5 });
    await client.setStreamMetadata('factory', { maxCount: 500 });
    await known(spec, 'factory', 'limited');
    expect(spec.drives.damaged.all().map(({ drive_id }) => drive_id)).toEqual(['factory']);
  });

  it('by a tombstone is broken for ever, not failed', async () => {
    const spec = await start();
    await organization(spec, 'DriveID_damaged');
    await client.tombstoneStream('drive-DriveID_damaged');
    // Whether the append or the subscription finds out first.
    const refused = await spec
      .group('late', undefined, { drive_id: 'DriveID_damaged' })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ reason: 'broken' });
    const { status, type, headers } = failureError(refused);
    expect([status, type, headers]).toEqual([503, 'drive.broken', {}]);
    await known(spec, 'DriveID_damaged', 'deleted');
    expect(spec.drives.damaged.get('DriveID_damaged')!.says).toContain('tombstone');
    expect(await groups(spec, 'DriveID_damaged')).toBe(4);
    expect(spec.notices).toHaveLength(1);
  });

  it('by an event of others is named with stream and revision', async () => {
    const spec = await start();
    await organization(spec, 'DriveID_damaged');
    const { revision } = (await spec.drives.open('DriveID_damaged')).head;
    await appendForeign('drive-DriveID_damaged');
    await appendForeign('drive-DriveID_damaged');
    const refused = spec.group('late', undefined, { drive_id: 'DriveID_damaged' });
    await expect(refused).rejects.toMatchObject({ reason: 'broken' });
    await known(spec, 'DriveID_damaged', 'foreign-event');
    const says = `drive-DriveID_damaged: another program appended the event at revision ${revision + 1} (Migrated)`;
    await eventually(() => spec.drives.damaged.get('DriveID_damaged')!.says.includes(says));
    await eventually(() => spec.notices.length === 1);
    expect(spec.notices[0]).toContain(says);
    expect(await groups(spec, 'DriveID_damaged')).toBe(4);
  });
});

describe('the past of an organization in memory whose stream was damaged', () => {
  const DAMAGED: [string, (stream: string) => Promise<unknown>][] = [
    ['$maxCount', (stream) => client.setStreamMetadata(stream, { maxCount: 2 })],
    ['truncateBefore', (stream) => client.setStreamMetadata(stream, { truncateBefore: 5 })],
    [
      'truncateBefore beyond its end',
      (stream) => client.setStreamMetadata(stream, { truncateBefore: 10_000 }),
    ],
    ['a soft delete', (stream) => client.deleteStream(stream)],
    ['a tombstone', (stream) => client.tombstoneStream(stream)],
  ];

  it.each(DAMAGED)('by %s is refused as damaged, not as failed', async (_, damage) => {
    const spec = await start();
    const drive_id = 'DriveID_damaged';
    await organization(spec, drive_id);
    const drive = await spec.drives.open(drive_id);
    const { revision } = drive.head;
    const { events } = spec.drives;
    await damage(streamOf(drive_id));
    await eventually(() => spec.drives.damaged.isClosed(drive_id));
    const present = { revision, now: Date.now(), state: drive.state };
    const answers = await Promise.all(
      [
        resolvePoint(events, drive_id, { revision: 1 }, present),
        resolvePoint(events, drive_id, { at_ms: 1 }, present),
        BeginFeed.answer(
          spec.drives,
          { drive_id, credential: { kind: 'signature', user_id: OWNER } },
          { from: 0 },
        ),
      ].map(async (answer) => {
        try {
          return await answer;
        } catch (error) {
          return failureError(error);
        }
      }),
    );
    const types = answers.map((one) => (one instanceof ApiError ? one.type : 'answered'));
    expect(new Set(types)).toEqual(new Set(['drive.broken']));
  });

  it.each([
    ['a deleted stream', new StreamDeleted('drive-DriveID_x')],
    ['a foreign event', new ForeignEvent('drive-DriveID_x', 3, 'Migrated')],
    ['a missing event', new EventMissing('drive-DriveID_x', 3)],
  ])('is refused also where the background process meets %s', async (_, error) => {
    expect(await outcomeOf(Promise.reject(error))).toEqual({ unavailable: 'broken' });
  });

  it('ends a live feed that has events to send', async () => {
    const spec = await start();
    const drive_id = 'DriveID_damaged';
    await organization(spec, drive_id);
    await client.setStreamMetadata(streamOf(drive_id), { truncateBefore: 10_000 });
    const reader = { drive_id, credential: { kind: 'signature', user_id: OWNER } } as const;
    const feed = new EventFeeds(spec.drives).listen(reader, 0, { heartbeat_ms: 60_000 });
    await expect(feed.toArray()).rejects.toThrow('is missing');
  });
});

describe('five damaged organizations', () => {
  const DAMAGED: [string, string, (stream: string) => Promise<unknown>][] = [
    ['DriveID_counted', 'cut', (stream) => client.setStreamMetadata(stream, { maxCount: 2 })],
    ['DriveID_cut', 'cut', (stream) => client.setStreamMetadata(stream, { truncateBefore: 2 })],
    ['DriveID_deleted', 'deleted', (stream) => client.deleteStream(stream)],
    ['DriveID_tombstone', 'deleted', (stream) => client.tombstoneStream(stream)],
    ['DriveID_foreign', 'foreign-event', appendForeign],
  ];
  beforeEach(async () => {
    const spec = await start();
    for (const [drive_id] of DAMAGED) await organization(spec, drive_id);
    await organization(spec, 'DriveID_sound');
    await stop(spec);
    for (const [drive_id, , damage] of DAMAGED) await damage(`drive-${drive_id}`);
  });

  it('are all named after a restart, before anybody asks for one, and refused without a retry', async () => {
    const spec = await start();
    for (const [drive_id, kind] of DAMAGED) await known(spec, drive_id, kind);
    const { ready, damaged_drives, closed_drives } = await readiness(spec.drives);
    expect(ready).toBe(true);
    expect(damaged_drives.map(({ drive_id }) => drive_id).sort()).toEqual(
      DAMAGED.map(([drive_id]) => drive_id).sort(),
    );
    expect(closed_drives).toHaveLength(5);
    for (const [drive_id] of DAMAGED) {
      const refused = await spec
        .group('x', undefined, { drive_id })
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ reason: 'broken' });
      expect(failureError(refused)).toMatchObject({ status: 503, headers: {} });
    }
    await spec.group('goes on', undefined, { drive_id: 'DriveID_sound' });
    expect(spec.notices).toHaveLength(5);
  });

  it('are all found by doctor, which looks at the rest', async () => {
    const { store: events } = open[0] ?? {
      store: await openKurrentEventStore({ url: server.url }),
    };
    try {
      const found: Examined[] = [];
      for await (const one of examineStores({ events, side, documents: null, clock: Date.now }))
        found.push(one);
      const bad = found.filter(({ state }) => state === 'bad').map(({ says }) => says);
      expect(bad).toHaveLength(5);
      for (const [at, [drive_id]] of DAMAGED.entries())
        expect(bad[at]).toContain(`drive-${drive_id}`);
      expect(found.map(({ says }) => says)).toContain('The factory names 6 organizations.');
      expect(found.at(-1)!.check).toBe('webhooks');
    } finally {
      await events.close();
    }
  });

  it('are all reported by verify, shown by the list of organizations, and left out of an export of all', async () => {
    const spec = await start();
    const ids = DAMAGED.map(([drive_id]) => drive_id);
    const { events } = spec.drives;
    const reports: StreamReport[] = [];
    for await (const report of verifyFolder({ events, side })) reports.push(report);
    const invalid = reports.filter(({ valid }) => !valid).map(({ drive_id }) => drive_id);
    expect(invalid.sort()).toEqual([...ids].sort());
    expect(reports).toHaveLength(7);

    const listed: OrganizationSummary[] = [];
    for await (const one of describeOrganizations(spec.drives)) listed.push(one);
    expect(listed.filter(({ unavailable }) => unavailable === 'broken')).toHaveLength(5);
    expect(listed).toHaveLength(6);

    const { streams, left_out } = await planExport(events);
    expect(streams.map(({ drive_id }) => drive_id)).toEqual(['DriveID_sound']);
    expect(left_out.map(({ drive_id }) => drive_id)).toEqual(ids);
    const named = planExport(events, {
      drive_ids: ['DriveID_sound', 'DriveID_foreign', 'DriveID_cut'],
    });
    await expect(named).rejects.toThrow(/DriveID_foreign[^]*\n[^]*DriveID_cut/);
  });

  it('are saved from an event of others: exported up to it, and imported under the same id elsewhere', async () => {
    const spec = await start();
    await known(spec, 'DriveID_foreign', 'foreign-event');
    const to = Number(
      /ops export --to (\d+)/.exec(spec.drives.damaged.get('DriveID_foreign')!.says)![1],
    );
    const { events } = spec.drives;
    const plan = await planExport(events, { drive_ids: ['DriveID_foreign'], to });
    const elsewhere = new EngineSpec();
    elsewhere.now = spec.now;
    const imported: ImportedStream[] = [];
    for await (const stream of importStreams({
      drives: elsewhere.drives,
      parts: () => exportedParts(events, plan, { now: spec.now }),
      keys: { keysOf: (drive_id, erased) => exportedKeys(side.keys, drive_id, erased) },
    }))
      imported.push(stream);
    expect(imported).toMatchObject([
      { drive_id: 'DriveID_foreign', events: to + 1, missing_keys: 0 },
    ]);
    expect(await groups(elsewhere, 'DriveID_foreign')).toBe(4);
    await elsewhere.group('goes on', undefined, { drive_id: 'DriveID_foreign' });
    expect(await groups(elsewhere, 'DriveID_foreign')).toBe(5);
    await elsewhere.drives.close();
  });
});
