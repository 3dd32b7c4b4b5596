import type { Collection, Db } from 'mongodb';

import type { FamilySchema, ReadModelSchema } from '../port.js';
import type { StoredCheckpoint } from './checkpoints.js';
import type { StoredEntry } from './stored.js';

/**
 * Name of the checkpoints' collection, and prefix of those of entries. Another format of entries gets another name,
 * so no release reads another format.
 */
export const READ_MODEL = 'read_model_2';
/** Names used by earlier releases. */
const EARLIER = ['read_model'] as const;

/** The collections of the read model: one per family, and one for checkpoints. */
export class Tables {
  readonly checkpoints: Collection<StoredCheckpoint>;

  constructor(
    private readonly db: Db,
    private readonly schema: ReadModelSchema,
  ) {
    this.checkpoints = db.collection(READ_MODEL);
  }

  of(family: string): Collection<StoredEntry> {
    return this.db.collection(`${READ_MODEL}.${family}`);
  }

  all(): Collection<StoredEntry>[] {
    return Object.keys(this.schema).map((family) => this.of(family));
  }

  /** Names of collections of earlier releases. */
  async leftOvers(): Promise<string[]> {
    return (await this.names()).filter(isEarlier).sort();
  }

  /** Checkpoints first: without one the rest is not read. */
  async dropLeftOvers(): Promise<void> {
    for (const name of await this.leftOvers()) await this.db.dropCollection(name);
  }

  private async names(): Promise<string[]> {
    const found = await this.db.listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  }

  async createIndexes(): Promise<void> {
    const there = new Set(await this.names());
    await Promise.all(
      Object.entries(this.schema).map(async ([family, schema]) => {
        const collection = this.of(family);
        const known = there.has(collection.collectionName) ? await collection.indexes() : [];
        const names = new Set(known.map(({ name }) => name));
        // One by one: FerretDB fails if several exist already, as when two processes start.
        for (const { key, name } of indexesOf(schema))
          if (!names.has(name)) await collection.createIndex(key, { name });
      }),
    );
  }
}

function isEarlier(name: string): boolean {
  return EARLIER.some((earlier) => name === earlier || name.startsWith(`${earlier}.`));
}

interface Index {
  readonly name: string;
  readonly key: Record<string, 1>;
}

/**
 * The indexes of one family's collection, beside that of `_id`. docs/read-model-mongodb.md lists the queries that use
 * each. An index with other keys needs another name.
 */
export function indexesOf(schema: FamilySchema): Index[] {
  const indexes: Index[] = [
    { name: 'list', key: scoped('created_at', '_id', 'filter_text') },
    { name: 'filter', key: scoped('filter_trigrams') },
    { name: 'step', key: scoped('step') },
    ...Object.keys(schema.fields).map((field) => ({
      name: `field_${field}`,
      key: scoped(`fields.${field}`, 'created_at', '_id'),
    })),
  ];
  if (schema.search !== undefined) {
    const ordered = ['search.title', 'search.updated_at', 'search.title_key', 'search.digest'];
    indexes.push(
      { name: 'search', key: scoped('search.text', ...ordered, 'created_at', '_id') },
      { name: 'search_trigrams', key: scoped('search.trigrams') },
    );
  }
  return indexes;
}

function scoped(...paths: readonly string[]): Record<string, 1> {
  return Object.fromEntries(['drive_id', 'build', ...paths].map((path) => [path, 1]));
}
