import { jest } from '@jest/globals';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { type RunningServer, startServer } from '../../apps/api/server.js';
import { BeginFeed } from '../../libs/application/feed/feed.js';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import { ContentFiles } from '../../libs/content-store/files/content-files.js';
import { OWNER } from '../../libs/domain/testing/drive.js';
import { DRIVE_A, EngineSpec } from '../../libs/engine/testing/engine.js';
import { FaultyEvents } from '../../libs/engine/testing/faulty-events.js';
import { MemorySideStores } from '../../libs/event-store/memory/index.js';
import { MemoryEventStore } from '../../libs/event-store/sqlite/memory-event-store.js';
import {
  type EventStore,
  StoreUnavailable,
  type Subscription,
} from '../../libs/event-store/port.js';
import { MemoryReadModel } from '../../libs/read-model/memory/memory-read-model.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
import { put } from '../support/content.js';
import { makeDisk, makeFile } from '../support/directory.js';
import { createUpload } from '../support/tus.js';

/** The store of a process that learns of no event of other processes until it reads a stream. */
class UnheardEvents extends FaultyEvents {
  override subscribeAll(): Subscription {
    return { stop: async () => {} };
  }
}

const PATH = '/organization';

describe('a revision that another process has acknowledged', () => {
  const events = new MemoryEventStore();
  const side = new MemorySideStores();
  const unheard = new UnheardEvents(events);
  let writing: RunningServer;
  let lagging: RunningServer;
  let writer: Client;
  let reader: Client;
  let drive_id: string;
  let webhook_id: string;

  const serve = async (own_events: EventStore): Promise<RunningServer> => {
    const env = { EVENT_STORE: 'memory', PORT: '0', RATE_LIMITS: 'off', DEFAULT_DISK: '' };
    const contents = await ContentFiles.temporary();
    return startServer(loadSettings(env), {
      logger: new JsonLogger('silent'),
      stores: {
        ...{ events: own_events, side, contents, shared: null, on_server: true },
        read_model: new MemoryReadModel(READ_SCHEMA),
        close: () => contents.close(),
      },
    });
  };

  beforeAll(async () => {
    writing = await serve(events);
    const { data } = await new Client(writing.url).post('/v1/factory/quickstart', {
      org_name: 'Two processes',
    });
    ({ drive_id, admin: writer } = organizationOf(writing.url, data));
    const webhook = { event: 'org.inbox.new_mail', alt_index: 'none', url: 'https://example.com' };
    const made = await writer.post('/webhooks/create', webhook);
    webhook_id = made.data.id;
    lagging = await serve(unheard);
    reader = new Client(`${lagging.url}/v1/drive/${drive_id}`, writer.token);
    await reader.get(`${PATH}/about`);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(async () => {
    await lagging.close();
    await writing.close();
  });

  /** Revision of a new event that the lagging process has not read. */
  const acknowledged = async (): Promise<number> => {
    const { headers } = await writer.post('/groups/create', { name: 'New' });
    const revision = Number(headers.get('drive-revision'));
    expect(lagging.drives.loaded(drive_id)!.head.revision).toBeLessThan(revision);
    return revision;
  };

  const feed = async (query: string, headers: Record<string, string> = {}) => {
    const closing = new AbortController();
    const { status } = await fetch(`${reader.base}${PATH}/events${query}`, {
      headers: { authorization: `Bearer ${reader.token}`, ...headers },
      signal: closing.signal,
    });
    closing.abort();
    return { status };
  };

  const READS: Record<string, (revision: number) => Promise<{ readonly status: number }>> = {
    replay: (revision) => reader.post(`${PATH}/replay`, { revision }),
    as_of: (revision) => reader.get(`${PATH}/about?as_of=r${revision}`),
    proof: (revision) => reader.get(`${PATH}/proof?revision=${revision}`),
    consistency: (revision) => reader.get(`${PATH}/consistency?from=1&to=${revision + 1}`),
    record_proof: (revision) =>
      reader.post(`${PATH}/record_proof`, { record_id: writer.user_id, revision }),
    compare: (revision) =>
      reader.post(`${PATH}/compare`, { from: { revision: 0 }, to: { revision } }),
    bookmarks: (revision) => reader.post(`${PATH}/bookmarks`, { name: `r${revision}`, revision }),
    explain: (revision) =>
      reader.post(`${PATH}/explain`, {
        ...{ grantee_id: writer.user_id, resource_id: 'TABLE_GROUPS', revision },
      }),
    history: (from_revision) => reader.post(`${PATH}/history`, { from_revision }),
    timeline: (to_revision) => reader.post(`${PATH}/timeline`, { to_revision }),
    'webhooks/replay': (revision) =>
      reader.post('/webhooks/replay', {
        ...{ id: webhook_id, from_revision: revision, to_revision: revision },
      }),
    'the feed by its parameter': (revision) => feed(`?from=${revision}`),
    'the feed by its header': (revision) => feed('', { 'last-event-id': String(revision) }),
  };

  it.each(Object.entries(READS))('is known to %s', async (_, read) => {
    const revision = await acknowledged();
    expect((await read(revision)).status).toBe(200);
    expect(lagging.drives.loaded(drive_id)!.head.revision).toBeGreaterThanOrEqual(revision);
  });

  it('is known to the admission of an upload, and to what repeats one under its key', async () => {
    const org = { drive_id, admin: writer } as Organization;
    const disk = await makeDisk(org);
    const { id } = await makeFile(writer, disk, 'made-elsewhere.txt');
    const headers = { 'idempotency-key': 'elsewhere' };
    await acknowledged();
    expect((await put(writer, id, Buffer.from('a text'), headers)).status).toBe(200);
    const again = await put(reader, id, Buffer.from('a text'), headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const { id: other } = await makeFile(writer, disk, 'another.txt');
    expect((await put(reader, other, Buffer.from('a text'))).status).toBe(200);
    const { id: third } = await makeFile(writer, disk, 'third.txt');
    const created = await createUpload(reader, third, 6);
    expect(created.status).toBe(201);
  });

  it('with the key of a replay of deliveries keeps them from being sent twice', async () => {
    const revision = await acknowledged();
    const body = { id: webhook_id, from_revision: 0, to_revision: revision };
    const headers = { 'Idempotency-Key': 'replay-elsewhere' };
    expect((await writer.post('/webhooks/replay', body, headers)).status).toBe(200);
    const queue = jest.spyOn(lagging.webhooks, 'replay');
    const again = await reader.post('/webhooks/replay', body, headers);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(queue).not.toHaveBeenCalled();
  });

  it.each([
    ['replay', 404],
    ['as_of', 404],
    ['proof', 404],
    ['the feed by its parameter', 400],
  ])('if the store has none such, is refused by %s after one look', async (name, status) => {
    const revision = await acknowledged();
    await READS.replay!(revision);
    // The reactor of the lagging process reads on, and looks at the head as well.
    await lagging.webhooks.idle();
    const head = jest.spyOn(unheard, 'head');
    expect((await READS[name]!(revision + 1)).status).toBe(status);
    expect(head).toHaveBeenCalledTimes(1);
  });

  it.each(['replay', 'as_of', 'bookmarks', 'the feed by its header'])(
    'is answered 503 by %s while the store is unavailable',
    async (name) => {
      const revision = await acknowledged();
      jest.spyOn(unheard, 'head').mockRejectedValue(new StoreUnavailable('gone'));
      expect((await READS[name]!(revision)).status).toBe(503);
    },
  );

  it('is looked up in no store that only this process can write to', async () => {
    const alone = new EngineSpec();
    await alone.spawn();
    const head = jest.spyOn(alone.events, 'head');
    const caller = {
      drive_id: DRIVE_A,
      credential: { kind: 'signature', user_id: OWNER },
    } as const;
    const outcome = await BeginFeed.answer(alone.drives, caller, { from: 999 });
    expect(outcome).toMatchObject({ data: 0 });
    expect(head).not.toHaveBeenCalled();
  });
});
