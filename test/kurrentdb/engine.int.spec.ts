/** The engine on KurrentDB: what is stored there is all it needs to be what it was. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../../libs/engine/writer/call.js';
import { emptyState, foldOnto } from '../../libs/engine/fold/fold.js';
import { DEFAULT_LIMITS } from '../../libs/engine/drives/limits.js';
import { EngineSpec } from '../../libs/engine/testing/engine.js';
import { verifyStream } from '../../libs/engine/verify/verify-drive.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import type { EventStore } from '../../libs/event-store/port.js';
import { expectedOf, readGoldens } from '../golden/golden.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';

const STREAMS = join(import.meta.dirname, '../golden/streams');
const GOLDENS = readdirSync(STREAMS).flatMap((version) =>
  readGoldens(join(STREAMS, version)).map((one) => ({
    name: `${version}/${one.golden.drive_id}`,
    ...one,
  })),
);

let server: KurrentServer;
let store: EventStore;
beforeAll(async () => {
  server = await startKurrentServer();
  store = await openKurrentEventStore({ url: server.url });
});
afterAll(async () => {
  await store.close();
  await server.close();
});

describe('on KurrentDB', () => {
  it.each(GOLDENS)(
    '$name folds to what it always folded to, every hash checked',
    async ({ name, golden, expected }) => {
      const stream = `drive-${name}`;
      await store.append(stream, -1, golden.events);
      const folded = emptyState(golden.drive_id);
      const source = {
        readStream: (_: string, ...rest: [number, 'forward', number]) =>
          store.readStream(stream, ...rest),
        readFoldable: (_: string, from: number, limit: number) =>
          store.readFoldable(stream, from, limit),
      };
      await foldOnto(folded, source as EventStore, { to: Infinity, verify: true });
      expect(expectedOf(folded, golden)).toEqual(expected);
    },
  );

  it('a drive is after any failure what its stream says, and so in another process', async () => {
    const drive_id = 'DriveID_failing';
    const limits = { ...DEFAULT_LIMITS, append_deadline_ms: 60_000 };
    const spec = new EngineSpec({ events: store, limits });
    spec.now = Date.now();
    await spec.spawn(drive_id);
    const failures = [
      () => server.dropAppends(2, 'stored'),
      () => server.dropAppends(1, 'lost'),
      () => server.refuseAppends(2),
      () => server.dropConnections(),
      async () => {
        await server.stop();
        await server.start();
      },
    ];
    for (const [round, fail] of failures.entries()) {
      await fail();
      const groups = Array.from({ length: 20 }, (_, i) =>
        spec.group(`${round} ${i}`, undefined, { drive_id }),
      );
      for (const outcome of await Promise.all(groups)) expect(outcome).toHaveProperty('data');
    }
    const drive = await spec.drives.open(drive_id);
    expect([...drive.state.groups.ids()]).toHaveLength(1 + 20 * failures.length);

    const next = await spec.restarted().drives.open(drive_id);
    expect(next.folded.hash.root()).toBe(drive.folded.hash.root());
    expect(next.folded.frontier.toJSON()).toEqual(drive.folded.frontier.toJSON());
    const { revision, last_hash: hash } = next.head;
    const input = { drive_id, events: store, side: spec.side, head: { revision, hash } };
    const { findings, checked } = await verifyStream(input);
    expect(findings.verification(checked.size)).toMatchObject({ valid: true });
  });

  it.each([
    ['deleted', (stream: string) => server.softDelete(stream)],
    ['cut', (stream: string) => server.truncate(stream, 3)],
    ['emptied', (stream: string) => server.truncate(stream, 1_000)],
  ])('a drive whose stream was %s is not served, and found broken', async (how, damage) => {
    const drive_id = `DriveID_${how}`;
    const spec = new EngineSpec({ events: store });
    await spec.spawn(drive_id);
    for (let i = 0; i < 5; i += 1) await spec.group(`group ${i}`, undefined, { drive_id });
    await damage(`drive-${drive_id}`);

    const opened = await spec
      .restarted()
      .drives.open(drive_id)
      .catch((error: unknown) => error);
    expect(opened).toBeInstanceOf(Unavailable);
    expect(opened).toMatchObject({ reason: 'broken' });
    const { findings, checked } = await verifyStream({ drive_id, events: store, side: spec.side });
    expect(findings.verification(checked.size)).toMatchObject({
      valid: false,
      first_bad_revision: 0,
    });
  });
});
