import type { Collection, Db } from 'mongodb';

import type { ReadModelSchema } from '../port.js';
import type { StoredCheckpoint } from './checkpoints.js';
import { indexesOf } from './indexes.js';
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

  /** Creates missing indexes. */
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
