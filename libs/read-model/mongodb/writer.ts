import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Collection, Filter } from 'mongodb';

import { type Scope, type StoredEntry, idsOf } from './stored.js';

/** Bounds of one write: entries, and characters of their texts. */
const CHUNK_DOCUMENTS = 500;
const CHUNK_CHARACTERS = 512 * 1024;
const DELETED_AT_ONCE = 1000;
/** Parallel chunks of a filling, so that the server is busy while the next one is created. */
const MOST_UNDER_WAY = 2;

type Documents = Collection<StoredEntry>;

/** Divides documents into chunks for one write each. They are created lazily. */
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

/** With their trigrams, texts take about ten times as many bytes. */
function textsLength({ filter_text = '', search }: StoredEntry): number {
  return filter_text.length + (search?.text.length ?? 0);
}

/** Parallel writes of one filling. */
export class Writes {
  private readonly under_way: Promise<void>[] = [];

  /** Starts a write when there is room. @throws the error of an earlier one */
  async begin(write: () => Promise<void>): Promise<void> {
    if (this.under_way.length >= MOST_UNDER_WAY) await this.under_way.shift();
    const written = write();
    // Reported later.
    written.catch(() => {});
    this.under_way.push(written);
    // Yield before the next chunk is created.
    await nextTurn();
  }

  /** Resolves when all are done. @throws the error of one */
  async end(): Promise<void> {
    await Promise.all(this.under_way);
  }

  /** Resolves when none is in progress, successful or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.under_way);
  }
}

/**
 * What a document of a step may replace. One of the same or a later step is not replaced, so a step may be repeated, and
 * late writes change nothing.
 */
export function ofEarlierStep({ step }: StoredEntry): Filter<StoredEntry> {
  return { step: { $lt: step } };
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
