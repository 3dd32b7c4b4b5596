/** A process is stopped while its event store does not answer, with a feed open and a command on its way. */
import { EventEmitter } from 'node:events';
import { EventFeeds } from '../../libs/application/feed/feed.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import { openKurrentEventStore } from '../../libs/event-store/kurrentdb/index.js';
import { MemorySideStores } from '../../libs/event-store/memory/index.js';
import { MemoryReadModel } from '../../libs/read-model/memory/memory-read-model.js';
import { Closing } from '../../apps/api/closing.js';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { installShutdown } from '../../apps/api/platform/shutdown.js';
import { startServer } from '../../apps/api/server.js';
import { type KurrentServer, startKurrentServer } from '../servers/kurrentdb/server.js';
import { Client, organizationOf } from '../support/client.js';

/** Nothing ends by itself while a test runs. */
const FOR_EVER_MS = 600_000;
/** As long as requests are waited for. */
const DRAIN_MS = 200;

class FakeProcess extends EventEmitter {
  private readonly ending = Promise.withResolvers<number>();
  readonly exited = this.ending.promise;
  readonly exit = this.ending.resolve;
}

let kurrent: KurrentServer;
beforeEach(async () => {
  kurrent = await startKurrentServer();
});
afterEach(() => kurrent.close());

/** @param deadline_ms of an append; @param close_timeout_ms of the shutdown */
async function serve(deadline_ms: number, close_timeout_ms: number) {
  const events = await openKurrentEventStore({ url: kurrent.url, deadline_ms });
  const side = new MemorySideStores();
  const closed = Promise.withResolvers<void>();
  const close = async (): Promise<void> => {
    await events.close();
    closed.resolve();
  };
  const owner = new FakeProcess();
  const lines: string[] = [];
  const logger = new JsonLogger('warn', { write: (line) => lines.push(line) });
  const settings = loadSettings({ EVENT_STORE: 'memory', PORT: '0', RATE_LIMITS: 'off' });
  const server = await startServer(settings, {
    logger,
    limits: { append_deadline_ms: FOR_EVER_MS },
    stores: {
      ...{ events, side, read_model: new MemoryReadModel(READ_SCHEMA) },
      contents: await ContentFiles.temporary(),
      ...{ on_server: true, shared: null, close },
    },
    prepare(app) {
      const unfinished = () => app.get(Closing).unfinished.names;
      const bounds = { timeout_ms: DRAIN_MS, close_timeout_ms, unfinished };
      const { signal } = installShutdown(app, bounds, logger, owner);
      signal.addEventListener('abort', () => app.get(EventFeeds).end());
    },
  });
  const body = { org_name: 'Stop' };
  const { data } = await new Client(server.url).post('/v1/factory/quickstart', body);
  const { drive_id, admin } = organizationOf(server.url, data);
  const headers = {
    authorization: `Bearer ${admin.token}`,
    'content-type': 'application/json',
  };
  const feed = await fetch(`${admin.base}/organization/events`, { headers });
  expect(feed.status).toBe(200);
  /** Sends a command, which is on its way when this resolves. */
  const send = async (): Promise<void> => {
    const request = { method: 'POST', headers, body: JSON.stringify({ name: 'A' }) };
    let is_over = false;
    void fetch(`${admin.base}/groups/create`, request).then(
      () => (is_over = true),
      () => (is_over = true),
    );
    await eventually(() => is_over || server.drives.loaded(drive_id)!.queue.is_busy);
  };
  return { owner, lines, drive_id, feed, send, closed: closed.promise };
}

it('one whose event store is frozen stops in bounded time, and names what was on its way', async () => {
  const { owner, lines, drive_id, feed, send, closed } = await serve(10_000, 200);
  await kurrent.freeze();
  await send();
  owner.emit('SIGTERM', 'SIGTERM');
  await feed.text();
  expect(await owner.exited).toBe(1);
  const said = lines.join('');
  expect(said).toMatch(/did not finish within \d+ ms: POST \/v1\/drive\/\S+\/groups\/create \(/);
  // Commands are waited for once the subscription has ended, which a frozen server may hold up itself.
  expect(said).toMatch(
    new RegExp(`not closed within 200 ms: (?:commands of ${drive_id}|following events)`),
  );
  await kurrent.thaw();
  await closed;
});

it.each<[string, () => unknown]>([
  ['is away', () => kurrent.stop()],
  ['has no leader', () => kurrent.refuseAppends(1_000_000)],
])('one whose event store %s closes everything, and tries appends no more', async (_, fail) => {
  const { owner, lines, feed, send, closed } = await serve(1_000, FOR_EVER_MS);
  await fail();
  await send();
  owner.emit('SIGTERM', 'SIGTERM');
  await feed.text();
  expect(await owner.exited).toBe(0);
  expect(lines.join('')).not.toContain('not closed');
  await closed;
});
