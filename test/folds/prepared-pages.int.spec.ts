import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { emptyState, foldOnto, streamOf, type StreamSource } from '../../libs/engine/fold/fold.js';
import { eventHash, genesisHash } from '../../libs/engine/proofs/hashing.js';
import { IndexFeed } from '../../libs/engine/read-models/index-feed.js';
import { Frontier } from '../../libs/engine/proofs/merkle.js';
import { verifyStream } from '../../libs/engine/verify/verify-drive.js';
import { MemorySideStores } from '../../libs/event-store/memory/index.js';
import type { EventWithMetadata, NewEvent, PreparedParts } from '../../libs/event-store/port.js';
import { entriesIn, type IndexEntry } from '../../libs/event-store/event-index.js';
import { SqliteEventStore } from '../../libs/event-store/sqlite/event-store.js';

const DRIVE_ID = 'DriveID_long';
const STREAM = streamOf(DRIVE_ID);
/** Long enough for the thread. */
const COUNT = 11_000;
const PAGE = 500;

describe('pages that a thread reads and prepares', () => {
  let folder: string;
  let store: SqliteEventStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'drive-pages-'));
    const writer = open();
    let previous: Uint8Array = genesisHash(DRIVE_ID);
    let events: NewEvent[] = [];
    for (let revision = 0; revision < COUNT; revision++) {
      // Nothing folds them, but text of two bytes a character is hashed and passed as well.
      const event = {
        event_id: randomUUID(),
        type: revision % 3 === 0 ? 'Unknown' : 'UnknownToo',
        version: 1,
        timestamp_ms: 1_700_000_000_000 + revision,
        metadata: `{"actor":"Åsa ${revision}"}`,
        data: `{"name":"${revision % 7 === 0 ? '日本' : 'plain'} ${revision}"}`,
      };
      previous = eventHash(previous, { ...event, revision });
      events.push({ ...event, hash: previous });
      if (events.length < 1_000) continue;
      await writer.append(STREAM, revision - events.length, events);
      events = [];
    }
    await writer.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const open = () => new SqliteEventStore({ path: join(folder, 'events.db') });
  beforeEach(() => {
    store = open();
  });
  afterEach(() => store.close());

  const read = (from: number, wanted: PreparedParts = {}) =>
    store.readPrepared(STREAM, from, PAGE, wanted);
  /** Resolves once the thread runs. */
  const start = async (): Promise<void> => {
    expect(await read(0)).toBeNull();
    await store['reader']!['started'];
  };
  const genesis = genesisHash(DRIVE_ID);

  it('hold the events that the store itself reads', async () => {
    await start();
    for (const from of [0, 64, 700]) {
      const members = ({
        revision,
        event_id,
        type,
        timestamp_ms,
        data,
        hash,
      }: NewEvent & { revision: number }) => ({
        revision,
        event_id,
        type,
        timestamp_ms,
        data,
        hash: Buffer.from(hash).toString('hex'),
      });
      const page = (await read(from, { genesis }))!;
      const own = await store.readStream(STREAM, from, 'forward', PAGE);
      expect(page.map((event) => members({ ...own[0]!, ...event, hash: event.hash }))).toEqual(
        own.map(members),
      );
    }
  });

  it('have the metadata, if they are asked for', async () => {
    await start();
    const own = await store.readStream(STREAM, 700, 'forward', PAGE);
    const page = (await read(700, { metadata: true })) as readonly EventWithMetadata[];
    const texts = page.map(({ metadata }) => new TextDecoder().decode(metadata as Uint8Array));
    expect(texts).toEqual(own.map(({ metadata }) => metadata));
  });

  it('are only offered far from the end, and for large pages', async () => {
    await start();
    expect(await read(COUNT - 10_001)).not.toBeNull();
    expect(await read(COUNT - 10_000)).toBeNull();
    expect(await store.readPrepared(STREAM, 0, 64, {})).toBeNull();
  });

  it('have the subtrees of the log, wherever they begin', async () => {
    await start();
    for (const from of [0, 1, 64, 448, 700]) {
      const before = await store.readFoldable(STREAM, 0, from);
      const page = (await read(from, { subtrees: true }))!;
      const frontier = Frontier.empty.append(before.map(({ hash }) => hash));
      const expected = frontier.append(page.map(({ hash }) => hash));
      expect(frontier.appendSubtrees(page.subtrees!).toJSON()).toEqual(expected.toJSON());
    }
  });

  it('are not offered from events up to a position that is not on the disk', async () => {
    await start();
    const asked: unknown[] = [];
    const { reader } = store as unknown as { reader: { read: (...given: unknown[]) => unknown } };
    const own = reader.read.bind(reader);
    reader.read = (...given) => {
      asked.push(given[0]);
      return own(...given);
    };
    const up_to = await store.lastPosition();
    await read(0);
    expect(asked).toEqual([expect.objectContaining({ up_to })]);
    const few = await store['reader']!.read(
      { stream: STREAM, from: 0, limit: PAGE, up_to: 7 },
      () => '',
    );
    // Positions begin at 1.
    expect(few).toHaveLength(7);
  });

  it('fold to the same state and log, and are checked on the way', async () => {
    await start();
    const [ahead, own] = [emptyState(DRIVE_ID), emptyState(DRIVE_ID)];
    let prepared = 0;
    const counting = {
      readStream: store.readStream.bind(store),
      readFoldable: store.readFoldable.bind(store),
      readPrepared: async (...given: Parameters<typeof store.readPrepared>) => {
        const page = await store.readPrepared(...given);
        if (page) prepared++;
        return page;
      },
    };
    await foldOnto(ahead, counting, { to: Infinity, verify: true });
    const { readPrepared: _, ...without } = counting;
    await foldOnto(own, without, { to: Infinity, verify: true });
    expect(prepared).toBeGreaterThan(0);
    expect(ahead.hash.root()).toBe(own.hash.root());
    expect(ahead.frontier.toJSON()).toEqual(own.frontier.toJSON());
  });

  it('feed the index of events like complete events', async () => {
    await start();
    const feeding = async (source: StreamSource): Promise<readonly IndexEntry[]> => {
      const indexed: IndexEntry[] = [];
      const index = {
        append_events: 1000,
        append: async (_: string, text: Uint8Array) => void indexed.push(...entriesIn(text)),
      };
      const feed = new IndexFeed(index, DRIVE_ID, null);
      await foldOnto(emptyState(DRIVE_ID), feed.source(source), {
        to: Infinity,
        touched: (keys, event) => feed.note(keys, event),
      });
      await feed.end();
      return indexed;
    };
    const { readStream, readFoldable } = store;
    const without = {
      readStream: readStream.bind(store),
      readFoldable: readFoldable.bind(store),
    };
    const found = await feeding(store);
    expect(found).toHaveLength(COUNT);
    expect(found).toEqual(await feeding(without));
  });

  it('are not offered if a hash does not match; the fold then finds the event', async () => {
    await start();
    const db = new DatabaseSync(join(folder, 'events.db'));
    const metadata = db.prepare('SELECT metadata FROM events WHERE revision = 600').get()!;
    const change = (text: unknown) =>
      db.prepare('UPDATE events SET metadata = ? WHERE revision = 600').run(text as string);
    change('{"actor":"another"}');
    try {
      expect(await read(0, { genesis })).not.toBeNull();
      expect(await read(0, { genesis: Buffer.alloc(32) })).toBeNull();
      expect(await read(500)).not.toBeNull();
      expect(await read(500, { genesis })).toBeNull();
      expect(await read(601, { genesis })).not.toBeNull();
      await expect(
        foldOnto(emptyState(DRIVE_ID), store, { to: Infinity, verify: true }),
      ).rejects.toMatchObject({ revision: 600, reason: 'the hash does not match' });
      const side = new MemorySideStores();
      const { checked, findings } = await verifyStream({ drive_id: DRIVE_ID, events: store, side });
      expect(findings.verification(checked.size)).toMatchObject({
        valid: false,
        checked_events: 600,
        first_bad_revision: 600,
      });
    } finally {
      change(metadata['metadata']);
      db.close();
    }
  });

  it('are read by the store itself after the end of the thread, until the next one runs', async () => {
    await start();
    // Asked before, the question could have been answered before the thread ends.
    const ended = store['reader']!['thread'].end();
    expect(await read(0)).toBeNull();
    await ended;
    expect(await read(0)).toBeNull();
    await store['reader']!['started'];
    expect(await read(0)).not.toBeNull();
  });
});
