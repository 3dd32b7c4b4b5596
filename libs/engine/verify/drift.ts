import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { RecordBase } from '../../domain/kernel/record.js';
import type { Table } from '../../domain/kernel/table.js';
import type { DocumentKey, Entry, Position, ReadModel } from '../../read-model/port.js';
import { type StreamSource, foldOnto } from '../fold/fold.js';
import { recordHash } from '../proofs/state-hash.js';
import { stateSource } from '../read-models/source.js';
import { type FoldedState, readSnapshot } from '../snapshots/snapshot.js';
import { Pace } from '../tasks/turns.js';
import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';

/** Documents compared between two yields to the event loop: each takes two keyed hashes. */
const PAGE = 50;
/** Maximum rounds of catching up before the drive's queue is held. */
const CATCH_UP_ROUNDS = 8;
/** Maximum rechecks of lagging documents, and the pause (ms) between them. */
const MOST_RECHECKS = 200;
const RECHECK_MS = 25;

interface DocumentDrift {
  readonly documents: number;
  /** Lowest revision of a record whose document differs, null if none does. */
  readonly first_revision: number | null;
}

/**
 * Compares every entry of a drive's read model with the folded record, by its fingerprint, while the drive is in use.
 * Entries that change meanwhile are checked again at the end, with the queue held briefly.
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
  const source = stateSource(folded.state, drive.keyring.open);
  const isRight = (entry: Entry | undefined, { family, id }: DocumentKey): boolean => {
    const document = source.document(family, id);
    if (!entry || !document) return !entry && !document;
    if (entry.revision !== document.revision) return false;
    return entry.fingerprint === read_model.fingerprint(drive_id, document);
  };
  for (const family of families) {
    const missing = new Set(folded.state.table(family)?.ids());
    for await (const ids of pagesOf(read_model, drive_id, family)) {
      const entries = await entriesById(read_model, drive_id, family, ids);
      for (const id of ids) {
        missing.delete(id);
        const entry = entries.get(id);
        // The list names existing entries: one that has disappeared since is checked again.
        if (!entry || !isRight(entry, entry)) note({ family, id });
      }
    }
    for (const id of missing) note({ family, id });
  }
  const recheck = async (isMeant: (name: string) => boolean): Promise<void> => {
    const again = [...odd.entries()].filter(([name]) => isMeant(name));
    for (const [family, keys] of Map.groupBy(again, ([, key]) => key.family)) {
      const ids = keys.map(([, { id }]) => id);
      const entries = await entriesById(read_model, drive_id, family, ids);
      for (const [name, key] of keys) if (isRight(entries.get(key.id), key)) odd.delete(name);
    }
  };
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
      await recheck(() => true);
      return odd.size === 0;
    });
  } else
    await drive.exclusively(async () => {
      await catchUp();
      await recheck((name) => touched.has(name));
    });
  const revisions = [...odd.values()].map((key) => revisionOf(folded, key));
  return { documents: odd.size, first_revision: odd.size > 0 ? Math.min(...revisions) : null };
}

/**
 * Rechecks mismatches until there are none, or until documents and fold were at one revision: a durable read model is
 * usually behind the stream or ahead of this process.
 * @throws Unavailable `read-model-behind` if it does not reach the fold
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
  throw new Unavailable('read-model-behind');
}

/** Ids of all entries of a family, page by page. */
async function* pagesOf(
  read_model: ReadModel,
  drive_id: string,
  family: string,
): AsyncGenerator<readonly string[]> {
  const pace = new Pace();
  for (let after: Position | null | undefined; after !== null;) {
    const page = await read_model.list(drive_id, {
      family,
      visible: 'all',
      direction: 'ASC',
      page_size: PAGE,
      ...(after && { after }),
    });
    yield page.items.map(({ id }) => id);
    after = page.after;
    if (pace.is_due) await pace.turn();
  }
}

async function entriesById(
  read_model: ReadModel,
  drive_id: string,
  family: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const entries = await read_model.entries(drive_id, family, ids);
  return new Map(entries.map((entry) => [entry.id, entry]));
}

/** The record's own revision; for a document without a record the state's. */
function revisionOf({ state }: FoldedState, { family, id }: DocumentKey): number {
  const record: RecordBase | undefined = state.table(family)?.get(id);
  return record?.revision ?? state.revision;
}

/**
 * Number of records in which a snapshot differs from the state folded to its revision; differences outside records
 * count as one. Null: it is unreadable.
 */
export async function snapshotDrift(
  drive_id: string,
  body: Uint8Array,
  folded: FoldedState,
): Promise<number | null> {
  let stored: FoldedState;
  try {
    stored = await readSnapshot(drive_id, body);
  } catch {
    return null;
  }
  const { state } = folded;
  const pace = new Pace();
  let drift = 0;
  for (const table of state.tables) {
    const others = stored.state.table(table.definition.name)!;
    for (const id of new Set([...table.ids(), ...others.ids()])) {
      if (!areSame(table, others, id)) drift++;
      if (pace.is_due) await pace.turn();
    }
  }
  if (drift > 0) return drift;
  // Hashed in turns, so that the roots are cheap.
  for (const { hash } of [stored, folded]) await hash.hashInTurns();
  const is_same = frameOf(stored) === frameOf(folded) && (await haveSameRetired(stored, folded));
  return is_same ? 0 : 1;
}

function areSame(table: Table<RecordBase>, others: Table<RecordBase>, id: string): boolean {
  const [one, other] = [table.get(id), others.get(id)];
  if (!one || !other || one.revision !== other.revision) return false;
  // Hashing takes seven times as long. Hashes are the same for a member that is absent or at its default.
  if (isDeepStrictEqual(one, other)) return true;
  return recordHash(table.definition, one) === recordHash(table.definition, other);
}

/** The part of a snapshot outside records and ids of deleted ones, as one text. */
function frameOf({ state, hash, frontier }: FoldedState): string {
  return JSON.stringify([
    state.revision,
    state.timestamp_ms,
    hash.root(),
    frontier.toJSON(),
    state.subjects,
  ]);
}

/** True if the same ids are of deleted records. */
async function haveSameRetired(one: FoldedState, other: FoldedState): Promise<boolean> {
  const pace = new Pace();
  let surplus = 0;
  for (const id of one.state.undo_log.retiredIds()) {
    if (!other.state.undo_log.isRetired(id)) return false;
    surplus++;
    if (pace.is_due) await pace.turn();
  }
  for (const _ of other.state.undo_log.retiredIds()) surplus--;
  return surplus === 0;
}
