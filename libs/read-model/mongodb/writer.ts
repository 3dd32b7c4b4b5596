import { setImmediate as nextTurn } from 'node:timers/promises';

import type { AnyBulkWriteOperation, Collection } from 'mongodb';

import { insertMissing } from '../../mongodb/insert.js';
import { type Scope, type StoredEntry, idsOf } from './stored.js';

/** Bounds of one write: entries, and characters of their texts. */
const CHUNK_DOCUMENTS = 500;
const CHUNK_CHARACTERS = 512 * 1024;
const DELETED_AT_ONCE = 1000;
/** Chunks of a filling that are written at one time, so that the server does not wait while the next one is made. */
const MOST_UNDER_WAY = 2;

type Documents = Collection<StoredEntry>;

/** Cuts documents into runs that one write may hold. They are made when their turn comes. */
export function* chunksOf<Item>(
  items: Iterable<Item>,
  make: (item: Item) => StoredEntry,
): Generator<StoredEntry[]> {
  let chunk: StoredEntry[] = [];
  let characters = 0;
  for (const item of items) {
    const document = make(item);
    chunk.push(document);
    characters += textsLength(document);
    if (chunk.length < CHUNK_DOCUMENTS && characters < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** With their trigrams texts take some ten times as many bytes. */
function textsLength({ filter_text = '', search }: StoredEntry): number {
  return filter_text.length + (search?.text.length ?? 0);
}

/** Inserts documents of a filling, which nobody else writes. */
export async function insertAll(collection: Documents, documents: StoredEntry[]): Promise<void> {
  await collection.insertMany(documents, { ordered: false });
}

/** Writes of one filling, some at one time. */
export class Writes {
  private readonly under_way: Promise<void>[] = [];

  /** Begins one when there is room. @throws what one before it threw */
  async begin(write: () => Promise<void>): Promise<void> {
    if (this.under_way.length >= MOST_UNDER_WAY) await this.under_way.shift();
    const written = write();
    // Requested later.
    written.catch(() => {});
    this.under_way.push(written);
    // Others have their turn before the next chunk is made.
    await nextTurn();
  }

  /** Resolves when all are done. @throws what one threw */
  async end(): Promise<void> {
    await Promise.all(this.under_way);
  }

  /** Resolves when none is under way any more, however it ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.under_way);
  }
}

/**
 * Writes one chunk of a step. Each document takes its place unless one of the same step or a later one
 * holds it; so a step may be written again, and a late writer changes nothing. Settles when a majority
 * holds all of it.
 */
export async function writeStep(
  collection: Documents,
  documents: readonly StoredEntry[],
): Promise<void> {
  const there = await insertMissing(collection, documents);
  if (there.length > 0) await collection.bulkWrite(there.map(replacement), { ordered: false });
}

/** Removes all documents of a filling, in bounded steps. */
export async function removeBuild(collection: Documents, scope: Scope): Promise<void> {
  const { drive_id, build } = scope;
  const all = idsOf(scope);
  for (;;) {
    const [next] = await collection
      .find({ drive_id, build, _id: all }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .skip(DELETED_AT_ONCE)
      .limit(1)
      .toArray();
    const range = next ? { ...all, $lt: next._id } : all;
    await collection.deleteMany({ drive_id, build, _id: range });
    if (next === undefined) return;
  }
}

function replacement(document: StoredEntry): AnyBulkWriteOperation<StoredEntry> {
  const { _id, step } = document;
  return {
    replaceOne: { filter: { _id, step: { $lt: step } }, replacement: document },
  };
}
