import type { Collection, Db } from 'mongodb';

import type { ReadModelSchema } from '../port.js';
import type { StoredCheckpoint } from './checkpoints.js';
import { indexesOf } from './indexes.js';
import type { StoredDocument } from './stored.js';

const CHECKPOINTS = 'read_model';

/** The collections of the read model: one per family, and that of the checkpoints. */
export class Tables {
  readonly checkpoints: Collection<StoredCheckpoint>;

  constructor(
    private readonly db: Db,
    private readonly schema: ReadModelSchema,
  ) {
    this.checkpoints = db.collection(CHECKPOINTS);
  }

  of(family: string): Collection<StoredDocument> {
    return this.db.collection(`${CHECKPOINTS}.${family}`);
  }

  all(): Collection<StoredDocument>[] {
    return Object.keys(this.schema).map((family) => this.of(family));
  }

  /** Makes the indexes that are missing. */
  async createIndexes(): Promise<void> {
    const there = new Set(
      (await this.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name),
    );
    await Promise.all(
      Object.entries(this.schema).map(async ([family, schema]) => {
        const collection = this.of(family);
        const known = there.has(collection.collectionName) ? await collection.indexes() : [];
        const names = new Set(known.map(({ name }) => name));
        // One by one: FerretDB breaks off when several are there already, as when two processes start.
        for (const { key, name } of indexesOf(schema))
          if (!names.has(name)) await collection.createIndex(key, { name });
      }),
    );
  }
}
