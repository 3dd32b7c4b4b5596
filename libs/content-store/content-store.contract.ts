/** What every content store must do. Each case works on ids of its own, so that one store serves all of them. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ContentKey, ContentStore } from './port.js';

export interface ContentStoreCase {
  readonly name: string;
  run(store: ContentStore): Promise<void>;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const freshKey = (drive_id = `DriveID_${randomUUID()}`): ContentKey => ({
  drive_id,
  content_id: randomUUID(),
});

/** Bytes in chunks of a size that fits no block. */
async function* chunks(bytes: Uint8Array, size = 70_001): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function* failing(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* chunks(bytes);
  throw new Error('the source failed');
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of source) all.push(chunk);
  return Buffer.concat(all);
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes of buffers in use, without garbage. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

const isMissing = { name: 'ContentMissing' };

const FRAME = 64 * KIB + 16;
const SIZES = [
  0,
  1,
  FRAME - 1,
  FRAME,
  FRAME + 1,
  255 * KIB - 1,
  255 * KIB,
  255 * KIB + 1,
  MIB + 17,
];

/** Sizes that a store may keep in different ways, bytes. */
const SMALL = 1000;
const LARGE = MIB;

/** Cases for small contents, for large ones, and for one of each. */
function forSizes(
  name: string,
  run: (store: ContentStore, one: number, other: number) => Promise<void>,
): ContentStoreCase[] {
  const pairs = [
    [SMALL, SMALL, 'small ones'],
    [LARGE, LARGE, 'large ones'],
    [SMALL, LARGE, 'a small and a large one'],
    [LARGE, SMALL, 'a large and a small one'],
  ] as const;
  return pairs.map(([one, other, of]) => ({
    name: `${name}: ${of}`,
    run: (store) => run(store, one, other),
  }));
}

export const CONTENT_STORE_CASES: readonly ContentStoreCase[] = [
  ...SIZES.map((size) => ({
    name: `gives back ${size} bytes as they were`,
    async run(store: ContentStore) {
      const [key, bytes] = [freshKey(), randomBytes(size)];
      assert.equal(await store.write(key, chunks(bytes)), size);
      assert.equal(await store.size(key), size);
      assert.ok((await bytesOf(store.read(key))).equals(bytes));
    },
  })),
  {
    name: 'gives ranges, also across its own blocks and beyond the end',
    async run(store) {
      const [key, bytes] = [freshKey(), randomBytes(MIB)];
      await store.write(key, chunks(bytes));
      const end = bytes.length;
      const ranges = [
        [0, 1],
        [5, 5],
        [255 * KIB - 1, 255 * KIB + 1],
        [300_000, 900_001],
        [end - 1, end],
        [end - 10, end + 10],
        [end, end + 1],
      ] as const;
      for (const [from, to] of ranges) {
        const found = await bytesOf(store.read(key, from, to));
        assert.ok(found.equals(bytes.subarray(from, to)), `${from} to ${to}`);
      }
      assert.ok((await bytesOf(store.read(key, 17))).equals(bytes.subarray(17)));
    },
  },
  ...forSizes('knows nothing under other keys, and refuses to read it', async (store, one, two) => {
    const key = freshKey();
    await store.write(key, chunks(randomBytes(one)));
    await store.write(freshKey(key.drive_id), chunks(randomBytes(two)));
    for (const other of [
      freshKey(),
      freshKey(key.drive_id),
      { ...freshKey(), content_id: key.content_id },
    ]) {
      assert.equal(await store.size(other), undefined);
      await assert.rejects(bytesOf(store.read(other)), isMissing);
      await assert.rejects(bytesOf(store.read(other, 0, 0)), isMissing);
    }
  }),
  ...forSizes('writes a key once', async (store, one, other) => {
    const [key, bytes] = [freshKey(), randomBytes(one)];
    await store.write(key, chunks(bytes));
    const again = store.write(key, chunks(randomBytes(other)));
    await assert.rejects(again, { name: 'ContentExists' });
    assert.equal(await store.size(key), one);
    assert.ok((await bytesOf(store.read(key))).equals(bytes));
  }),
  ...forSizes('lets one of two parallel writes of a key win, whole', async (store, one, other) => {
    const key = freshKey();
    const contents = [randomBytes(one), randomBytes(other)];
    const written = await Promise.allSettled(
      contents.map((bytes) => store.write(key, chunks(bytes))),
    );
    assert.deepEqual(written.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const won = contents[written.findIndex(({ status }) => status === 'fulfilled')]!;
    assert.ok((await bytesOf(store.read(key))).equals(won));
    assert.deepEqual(
      (await store.list(key.drive_id, '', 10)).map(({ bytes }) => bytes),
      [won.length],
    );
  }),
  ...forSizes(
    'keeps nothing of a source that fails, and takes the key afterwards',
    async (store, one, other) => {
      const [key, bytes] = [freshKey(), randomBytes(one)];
      await assert.rejects(store.write(key, failing(randomBytes(other))), /the source failed/);
      assert.equal(await store.size(key), undefined);
      await assert.rejects(bytesOf(store.read(key)), isMissing);
      assert.deepEqual(await store.list(key.drive_id, '', 10), []);
      await store.write(key, chunks(bytes));
      assert.ok((await bytesOf(store.read(key))).equals(bytes));
    },
  ),
  {
    name: 'gives ranges of a small content, and what is left of one beyond its end',
    async run(store) {
      const [key, bytes] = [freshKey(), randomBytes(SMALL)];
      await store.write(key, chunks(bytes));
      for (const [from, to] of [
        [0, 1],
        [5, 5],
        [10, SMALL - 10],
        [SMALL - 1, SMALL + 10],
        [SMALL, SMALL + 1],
      ] as const)
        assert.ok((await bytesOf(store.read(key, from, to))).equals(bytes.subarray(from, to)));
    },
  },
  {
    name: 'shows nothing before all of it is stored',
    async run(store) {
      const key = freshKey();
      async function* looking(): AsyncGenerator<Uint8Array> {
        yield randomBytes(MIB);
        assert.equal(await store.size(key), undefined);
        assert.deepEqual(await store.list(key.drive_id, '', 10), []);
        yield randomBytes(1);
      }
      await store.write(key, looking());
      assert.equal(await store.size(key), MIB + 1);
    },
  },
  {
    name: 'reads no further than its caller takes, and lets go when the caller stops',
    async run(store) {
      const [key, bytes] = [freshKey(), randomBytes(2 * MIB)];
      await store.write(key, chunks(bytes));
      for (let nth = 0; nth < 20; nth++)
        for await (const chunk of store.read(key)) {
          assert.ok(chunk.length < MIB);
          break;
        }
      assert.ok((await bytesOf(store.read(key))).equals(bytes));
    },
  },
  {
    name: 'holds little memory for readers that stop, and lets others read on',
    async run(store) {
      const [large, small] = [freshKey(), freshKey()];
      const bytes = randomBytes(MIB);
      await store.write(large, chunks(randomBytes(8 * MIB)));
      await store.write(small, chunks(bytes));
      const before = heldBytes();
      const stopped = Array.from({ length: 3 }, () => store.read(large)[Symbol.asyncIterator]());
      for (const reader of stopped) assert.equal((await reader.next()).done, false);
      // A store that reads ahead has the time of a whole read for it.
      assert.ok((await bytesOf(store.read(small))).equals(bytes));
      const held = heldBytes() - before;
      assert.ok(held < stopped.length * 3 * MIB, `${held} bytes are held`);
      for (const reader of stopped) await reader.return?.();
      await store.delete(large);
    },
  },
  ...forSizes('deletes, and ignores what is not there', async (store, one, other) => {
    const [key, kept] = [freshKey(), freshKey()];
    await store.write(key, chunks(randomBytes(one)));
    await store.write(kept, chunks(randomBytes(other)));
    await store.delete(key);
    await store.delete(key);
    await store.delete(freshKey());
    assert.equal(await store.size(key), undefined);
    await assert.rejects(bytesOf(store.read(key)), isMissing);
    assert.deepEqual(await store.list(key.drive_id, '', 10), []);
    assert.equal(await store.size(kept), other);
    await store.write(key, chunks(randomBytes(5)));
    assert.equal(await store.size(key), 5);
  }),
  {
    name: 'lists the contents of a drive in order, page by page, and its drives',
    async run(store) {
      const drive_id = `DriveID_${randomUUID()}`;
      const keys = Array.from({ length: 25 }, () => freshKey(drive_id));
      const before = Date.now() - 2_000;
      // Every third one is large.
      const sizes = keys.map((_, nth) => (nth % 3 === 0 ? 100_000 : 0) + nth);
      for (const [nth, key] of keys.entries())
        await store.write(key, chunks(randomBytes(sizes[nth]!)));
      const other = freshKey();
      await store.write(other, chunks(randomBytes(1)));
      const third = freshKey();
      await store.write(third, chunks(randomBytes(MIB)));
      const found = [];
      for (let after = ''; ;) {
        const page = await store.list(drive_id, after, 10);
        if (page.length === 0) break;
        found.push(...page);
        after = page.at(-1)!.content_id;
      }
      const expected = keys
        .map(({ content_id }, nth) => ({ drive_id, content_id, bytes: sizes[nth] }))
        .sort((a, b) => (a.content_id < b.content_id ? -1 : 1));
      assert.deepEqual(
        found.map(({ stored_ms: _, ...one }) => one),
        expected,
      );
      assert.ok(
        found.every(({ stored_ms }) => stored_ms >= before && stored_ms <= Date.now() + 2_000),
      );
      const drives = new Set<string>();
      for (let after = ''; ;) {
        const page = await store.drives(after, 2);
        if (page.length === 0) break;
        for (const id of page) drives.add(id);
        after = page.at(-1)!;
      }
      assert.ok([drive_id, other.drive_id, third.drive_id].every((id) => drives.has(id)));
    },
  },
  {
    name: 'stores many contents at one time',
    async run(store) {
      const all = Array.from(
        { length: 20 },
        (_, nth) => [freshKey(), randomBytes(nth * 20_000)] as const,
      );
      await Promise.all(all.map(([key, bytes]) => store.write(key, chunks(bytes))));
      const found = await Promise.all(all.map(([key]) => bytesOf(store.read(key))));
      assert.deepEqual(
        found.map(digest),
        all.map(([, bytes]) => digest(bytes)),
      );
    },
  },
  {
    name: 'refuses ids that are paths',
    async run(store) {
      const ids = ['', '.', '..', '../x', 'a/b', 'a\\b', 'a\0b', '.writing', 'x'.repeat(201), 'ü'];
      for (const id of ids)
        for (const key of [
          { ...freshKey(), content_id: id },
          { ...freshKey(), drive_id: id },
        ]) {
          const malformed = { name: 'MalformedContentKey' };
          await assert.rejects(store.write(key, chunks(randomBytes(1))), malformed, id);
          await assert.rejects(bytesOf(store.read(key)), malformed, id);
          await assert.rejects(store.size(key), malformed, id);
          await assert.rejects(store.delete(key), malformed, id);
        }
    },
  },
];
