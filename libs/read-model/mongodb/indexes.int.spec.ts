import { type CommandStartedEvent, MongoClient } from 'mongodb';

import { describeWithMongo } from '../../../test/servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../../../test/servers/mongodb/server.js';
import {
  SCHEMA,
  SECRET,
  TestDrive,
  aThing,
  clause,
  manyThings,
} from '../contract/fixtures.contract.js';
import type { PageRequest, ReadModel } from '../port.js';
import { READ_MODEL, indexesOf } from './tables.js';
import { MongoReadModel } from './mongo-read-model.js';
/**
 * The server for tests ignores indexes, so nothing here asks how it goes about a query. Instead every
 * command is held against the keys of the collection's indexes.
 */
interface Shape {
  readonly family: string;
  readonly command: string;
  /** Paths that bound what is looked at. */
  readonly bounded: ReadonlySet<string>;
  readonly sorted: readonly string[];
  readonly projected: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

let server: MongoServer;
let client: MongoClient;
const shapes = new Map<string, Shape>();

beforeAll(async () => {
  server = await startMongo();
  client = await MongoClient.connect(server.url, { monitorCommands: true });
  client.on('commandStarted', (event) => {
    for (const shape of shapesOf(event)) {
      const { bounded, ...others } = shape;
      shapes.set(JSON.stringify([others, [...bounded]]), shape);
    }
  });
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

function shapesOf({ commandName: command, command: body }: CommandStartedEvent): Shape[] {
  const { find, aggregate, distinct, update } = body as Json;
  const collection = [find, aggregate, distinct, update, body.delete].find(
    (name) => typeof name === 'string' && name.startsWith(`${READ_MODEL}.`),
  );
  if (collection === undefined) return [];
  const family = (collection as string).slice(READ_MODEL.length + 1);
  // The driver keeps the order of a sort in a map.
  const sorted = [...((body.sort ?? new Map()) as Map<string, number>).keys()];
  const projected = Object.keys((body.projection ?? {}) as Json);
  return filtersOf(body as Json).map((filter) => ({
    family,
    command,
    bounded: new Set(boundedBy(filter)),
    sorted,
    projected,
  }));
}

function filtersOf({ filter, query, pipeline, updates, deletes }: Json): Json[] {
  if (pipeline) return [(pipeline as { $match: Json }[])[0]!.$match];
  const writes = (updates ?? deletes) as { q: Json }[] | undefined;
  return writes ? writes.map(({ q }) => q) : [(filter ?? query) as Json];
}

/** What an `$or` asks bounds nothing, since an index would have to serve each side of it. */
function boundedBy(filter: Json): string[] {
  return Object.entries(filter).flatMap(([path, value]) => {
    if (path === '$and') return (value as Json[]).flatMap(boundedBy);
    return path.startsWith('$') ? [] : [path];
  });
}

function isServed({ family, command, bounded, sorted }: Shape): boolean {
  if (bounded.has('_id') && sorted.every((path) => path === '_id')) return true;
  return indexesOf(SCHEMA[family]!).some(({ key }) => {
    const [drive, build, third] = Object.keys(key);
    if (!bounded.has(drive!)) return false;
    if (command === 'distinct') return true;
    return bounded.has(build!) && bounded.has(third!) && sorted.every((path) => isIn(key, path));
  });
}

/** An index that holds what is sorted by spares looking at documents. */
function isIn(key: Json, path: string): boolean {
  return Object.hasOwn(key, path);
}

/** Every kind of query in every order, both ways, and every kind of write. */
async function askEverything(model: ReadModel): Promise<void> {
  const drive = await TestDrive.open(
    model,
    manyThings(4, () => ({ name: 'a hit' })),
  );
  const some = [clause('color', 'grey'), clause('id', 'a01', 'a02')];
  const pages = (key: string | number, id: string): Partial<PageRequest>[] => [
    { page_size: 1 },
    { page_size: 1, after: { key, id } },
    { page_size: 1, before: { key, id }, direction: 'DESC' },
  ];
  for (const page of pages(1, 'a01'))
    for (const query of [
      {},
      { where: some },
      { visible: some },
      ...['h', 'hit'].flatMap((text) => [{ filter: { text } }, { filter: { text, or: some } }]),
    ])
      await drive.list({ ...page, ...query });
  for (const order of ['CREATED_AT', 'UPDATED_AT', 'SCORE', 'ALPHABETICAL'] as const)
    for (const page of pages(order === 'ALPHABETICAL' ? 'a' : 1, ''))
      for (const text of ['h', 'hit'])
        for (const more of [{}, { or: some }, { instead: some[0]! }])
          await drive.search(text, {
            ...page,
            order,
            families: [{ family: 'things', visible: 'all', ...more }],
          });
  await drive.change({ put: aThing('a00') }, { put: aThing('new') }, { remove: 'a01' });
  await model.forget(drive.id);
}

describeWithMongo('the indexes', () => {
  it('serve every query and every write', async () => {
    const model = await MongoReadModel.open(client.db(server.freshDatabase()), SCHEMA, {
      secret: SECRET,
    });
    await askEverything(model);
    const commands = new Set([...shapes.values()].map(({ command }) => command));
    expect([...commands].toSorted()).toEqual(['aggregate', 'delete', 'distinct', 'find', 'update']);
    expect([...shapes.values()].filter((shape) => !isServed(shape))).toEqual([]);
  });

  it('include one by trigrams that bounds every text of three characters or more', async () => {
    const model = await MongoReadModel.open(client.db(server.freshDatabase()), SCHEMA, {
      secret: SECRET,
    });
    const drive = await TestDrive.open(model, []);
    shapes.clear();
    for (const text of ['abc', '𝒳𝒳𝒳']) {
      await drive.list({ filter: { text } });
      await drive.search(text, { order: 'ALPHABETICAL' });
    }
    const asked = [...shapes.values()].filter(({ bounded }) => !bounded.has('step'));
    const trigrams = asked.map(({ bounded }) =>
      [...bounded].filter((path) => path.endsWith('trigrams')),
    );
    // A list is counted beside.
    expect(trigrams).toEqual([['filter_trigrams'], ['filter_trigrams'], ['search.trigrams']]);
    const third = indexesOf(SCHEMA.things!).map(({ key }) => Object.keys(key)[2]);
    expect(third).toEqual(expect.arrayContaining(trigrams.flat()));
  });

  it('hold all that places of unfiltered lists and of shorter texts are found by', async () => {
    const model = await MongoReadModel.open(client.db(server.freshDatabase()), SCHEMA, {
      secret: SECRET,
    });
    const drive = await TestDrive.open(model, []);
    shapes.clear();
    await drive.list();
    await drive.list({ filter: { text: 'ab' } });
    for (const order of ['CREATED_AT', 'UPDATED_AT', 'SCORE', 'ALPHABETICAL'] as const)
      await drive.search('ab', { order });
    const finding = [...shapes.values()].filter(({ bounded }) => !bounded.has('step'));
    // Lists are counted beside.
    expect(finding.filter(({ command }) => command === 'find')).toHaveLength(6);
    expect(finding).toHaveLength(8);
    const indexes = indexesOf(SCHEMA.things!);
    for (const { bounded, sorted, projected } of finding) {
      const paths = [...bounded, ...sorted, ...projected];
      const holding = indexes.filter(({ key }) => paths.every((path) => isIn(key, path)));
      expect({ paths, holding }).not.toEqual({ paths, holding: [] });
    }
  });

  it('are made once, whoever opens the database again', async () => {
    const db = client.db(server.freshDatabase());
    await MongoReadModel.open(db, SCHEMA, { secret: SECRET });
    await MongoReadModel.open(db, SCHEMA, { secret: SECRET });
    for (const [family, schema] of Object.entries(SCHEMA)) {
      const made = await db.collection(`${READ_MODEL}.${family}`).indexes();
      const by_name = new Map(made.map(({ name, key }) => [name, Object.keys(key)]));
      expect(by_name).toEqual(
        new Map([
          ['_id_', ['_id']],
          ...indexesOf(schema).map(({ name, key }) => [name, Object.keys(key)] as const),
        ]),
      );
    }
  });
});
