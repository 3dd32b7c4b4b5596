import type { AnyBulkWriteOperation, Collection } from 'mongodb';

import { insertMissing } from '../../mongodb/insert.js';
import { type Scope, type StoredEntry, idsOf } from './stored.js';

/** Bounds of one write: entries, and characters of their texts. */
const CHUNK_DOCUMENTS = 500;
const CHUNK_CHARACTERS = 512 * 1024;
const DELETED_AT_ONCE = 1000;
/** Passes over one chunk; each further one means that somebody else inserted what it was about to. */
const MOST_PASSES = 10;

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

/**
 * Writes one chunk of a step. Each document takes its place unless one of the same step or a later one
 * holds it; so a step may be written again, and a late writer changes nothing. Settles when a majority
 * holds all of it.
 */
export async function writeStep(
  collection: Documents,
  documents: readonly StoredEntry[],
): Promise<void> {
  let left = documents;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const steps = await storedSteps(collection, left);
    const later = left.filter(({ _id, step }) => (steps.get(_id) ?? step) < step);
    if (later.length > 0) await collection.bulkWrite(later.map(replacement), { ordered: false });
    left = await insertMissing(
      collection,
      left.filter(({ _id }) => !steps.has(_id)),
    );
    if (left.length === 0) return;
  }
  throw new Error(`documents of ${left[0]!.drive_id} are taken and not to be seen`);
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

async function storedSteps(
  collection: Documents,
  documents: readonly StoredEntry[],
): Promise<ReadonlyMap<string, number>> {
  const found = collection.find(
    { _id: { $in: documents.map(({ _id }) => _id) } },
    // What the primary holds: another writer's document counts before a majority has it.
    { projection: { step: 1 }, readConcern: { level: 'local' } },
  );
  return new Map((await found.toArray()).map(({ _id, step }) => [_id, step]));
}

function replacement(document: StoredEntry): AnyBulkWriteOperation<StoredEntry> {
  const { _id, step } = document;
  return {
    replaceOne: { filter: { _id, step: { $lt: step } }, replacement: document },
  };
}
