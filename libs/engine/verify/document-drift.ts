import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { RecordBase } from '../../domain/kernel/table.js';
import type { Document, DocumentKey, Position, ReadModel } from '../../read-model/port.js';
import { Unavailable } from '../call.js';
import type { Drive } from '../drive.js';
import { foldOnto, type StreamSource } from '../fold.js';
import { canonicalJson } from '../hashing.js';
import type { FoldedState } from '../snapshot.js';
import { rendered } from '../source.js';

const PAGE = 500;
/** Rounds of catching up before the drive's queue is held for the rest. */
const CATCH_UP_ROUNDS = 8;
/** How often, and after which pause (ms), documents that lag are looked at again. */
const MOST_RECHECKS = 200;
const RECHECK_MS = 25;

export interface DocumentDrift {
  readonly documents: number;
  /** Lowest revision of a record whose document differs, null if none does. */
  readonly first_revision: number | null;
}

/**
 * Compares every document of a drive's read model with the record that the fold gives, while the drive
 * goes on: what changed meanwhile is looked at again at the end, with the queue held for a moment.
 */
export async function documentDrift(
  drive: Drive,
  read_model: ReadModel,
  families: readonly string[],
  folded: FoldedState,
  events: StreamSource,
): Promise<DocumentDrift> {
  const { drive_id } = drive;
  const odd = new Map<string, DocumentKey>();
  const note = (key: DocumentKey): unknown => odd.set(`${key.family}\t${key.id}`, key);
  const isRight = (document: Document | null, { family, id }: DocumentKey): boolean => {
    const record = folded.state.table(family)?.get(id);
    if (!document || !record) return !document && !record;
    return document.revision === record.revision && isSame(document.record, rendered(record, open));
  };
  const { open } = drive.keyring;
  for (const family of families) {
    const missing = new Set(folded.state.table(family)?.ids());
    for await (const document of documentsOf(read_model, drive_id, family)) {
      missing.delete(document.id);
      if (!isRight(document, document)) note({ family, id: document.id });
    }
    for (const id of missing) note({ family, id });
  }
  const touched = new Set<string>();
  const catchUp = (): Promise<unknown> =>
    foldOnto(folded, events, {
      to: drive.head.revision,
      touched(keys) {
        for (const { family, id } of keys) touched.add(`${family}\t${id}`);
      },
    });
  for (let round = 0; round < CATCH_UP_ROUNDS; round++) await catchUp();
  if (read_model.durable) {
    await recheckWhereBothStand(drive, read_model, folded, catchUp, async () => {
      for (const [name, key] of odd)
        if (isRight(await read_model.get(drive_id, key.family, key.id), key)) odd.delete(name);
      return odd.size === 0;
    });
  } else
    await drive.exclusively(async () => {
      await catchUp();
      for (const [name, key] of odd) {
        if (!touched.has(name)) continue;
        if (isRight(await read_model.get(drive_id, key.family, key.id), key)) odd.delete(name);
      }
    });
  const revisions = [...odd.values()].map((key) => revisionOf(folded, key));
  return { documents: odd.size, first_revision: odd.size > 0 ? Math.min(...revisions) : null };
}

/**
 * Looks again at what was odd, until nothing is or documents and fold stood at one revision meanwhile: a
 * read model that outlives processes is behind the stream or ahead of this process most of the time.
 * @throws Unavailable `behind` if it does not come to the fold
 */
async function recheckWhereBothStand(
  drive: Drive,
  read_model: ReadModel,
  { state }: FoldedState,
  catchUp: () => Promise<unknown>,
  recheck: () => Promise<boolean>,
): Promise<void> {
  const standsAt = async (): Promise<number> =>
    (await read_model.checkpoint(drive.drive_id))?.revision ?? -1;
  for (let round = 0; round < MOST_RECHECKS; round++) {
    await drive.follow();
    await catchUp();
    const before = await standsAt();
    if (before >= state.revision) {
      if (await recheck()) return;
      if (before === state.revision && (await standsAt()) === before) return;
    } else await pause(RECHECK_MS);
  }
  throw new Unavailable('behind');
}

async function* documentsOf(
  read_model: ReadModel,
  drive_id: string,
  family: string,
): AsyncGenerator<Document> {
  for (let after: Position | null | undefined; after !== null;) {
    const page = await read_model.list(drive_id, {
      family,
      visible: 'all',
      direction: 'ASC',
      page_size: PAGE,
      ...(after && { after }),
    });
    yield* page.items;
    after = page.after;
    await nextTurn();
  }
}

/** The record's own revision; for a document without a record that of the state. */
function revisionOf({ state }: FoldedState, { family, id }: DocumentKey): number {
  const record: RecordBase | undefined = state.table(family)?.get(id);
  return record?.revision ?? state.revision;
}

function isSame(stored: object, expected: object): boolean {
  const { revision: _, ...one } = stored as Record<string, unknown>;
  const { revision: __, ...other } = expected as Record<string, unknown>;
  return canonicalJson(one) === canonicalJson(other);
}
