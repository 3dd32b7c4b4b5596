import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { RecordBase } from '../../domain/kernel/record.js';
import { Box } from '../../domain/kernel/sealed.js';
import type { Table } from '../../domain/kernel/table.js';
import type { KeyVault } from '../../event-store/stores.js';
import { Fingerprints } from '../../read-model/fingerprint.js';
import type { DocumentKey, Entry } from '../../read-model/port.js';
import { type StreamSource, foldOnto } from '../fold/fold.js';
import { Keyring } from '../keys/keyring.js';
import { recordHash } from '../proofs/state-hash.js';
import { stateSource } from '../read-models/source.js';
import { type FoldedState, readSnapshot } from '../snapshots/snapshot.js';
import { Pace } from '../tasks/turns.js';
import { Unavailable } from '../writer/call.js';
import type { ServedDrive, VerifyQuestion } from './served-drive.js';

/** Maximum rounds of catching up before the drive's queue is held. */
const CATCH_UP_ROUNDS = 8;
/** Maximum rechecks of lagging documents, or reads of a lagging store, and the pause (ms) between them. */
export const MOST_RECHECKS = 200;
export const RECHECK_MS = 25;

interface DocumentDrift {
  readonly documents: number;
  /** Lowest revision of a record whose document differs, null if none does. */
  readonly first_revision: number | null;
}

interface Fold {
  readonly folded: FoldedState;
  readonly events: StreamSource;
  readonly keys: KeyVault;
}

/**
 * Compares every entry of a drive's read model with the folded record, by its fingerprint, while the drive is in use.
 * Entries that change meanwhile are checked again at the end, with the queue held briefly.
 * @throws Unavailable `read-model-behind` if it does not reach the fold, `behind` if the store does not show all events
 */
export async function documentDrift(
  question: VerifyQuestion,
  served: ServedDrive,
  { folded, events, keys }: Fold,
): Promise<DocumentDrift> {
  const { state } = folded;
  const expected = new ExpectedEntries(question, folded, keys);
  const odd = new Map<string, DocumentKey>();
  for (const family of question.families) {
    const missing = new Set(state.table(family)?.ids());
    for (let page; page?.after !== null;) {
      page = await served.page(family, page?.after);
      const right = await expected.among(family, page.ids, page.entries);
      for (const id of page.ids) {
        missing.delete(id);
        // The list names existing entries: one that has disappeared since is checked again.
        const key = { family, id };
        if (!right.has(id) || !state.table(family)?.get(id)) odd.set(nameOf(key), key);
      }
    }
    for (const id of missing) odd.set(nameOf({ family, id }), { family, id });
  }
  const recheck = async (isMeant: (name: string) => boolean): Promise<void> => {
    const again = [...odd.entries()].filter(([name]) => isMeant(name));
    for (const [family, keys_of] of Map.groupBy(again, ([, key]) => key.family)) {
      const ids = keys_of.map(([, { id }]) => id);
      const right = await expected.among(family, ids, await served.entries(family, ids));
      for (const [name, { id }] of keys_of) if (right.has(id)) odd.delete(name);
    }
  };
  const touched = new Set<string>();
  const catchUp = async (): Promise<void> => {
    const to = await served.head();
    for (let reads = 0; state.revision < to; reads++) {
      if (reads > 0) await pause(RECHECK_MS);
      if (reads === MOST_RECHECKS) throw new Unavailable('behind');
      await foldOnto(folded, events, {
        to,
        touched(changed) {
          for (const key of changed) touched.add(nameOf(key));
        },
      });
    }
  };
  for (let round = 0; round < CATCH_UP_ROUNDS; round++) await catchUp();
  if (question.has_durable_documents)
    await recheckWhereBothStand(served, question.families, folded, catchUp, async () => {
      await recheck(() => true);
      return odd.size === 0;
    });
  else
    await served.exclusively(async () => {
      await catchUp();
      await recheck((name) => touched.has(name));
    });
  // Not spread into one call: after the loss of a read model all documents are odd.
  const first_revision = odd
    .values()
    .reduce((least, key) => Math.min(least, revisionOf(folded, key)), Infinity);
  return { documents: odd.size, first_revision: odd.size > 0 ? first_revision : null };
}

function nameOf({ family, id }: DocumentKey): string {
  return `${family}\t${id}`;
}

/** The entries that folded records must have. */
class ExpectedEntries {
  private readonly fingerprints: Fingerprints;

  constructor(
    private readonly question: VerifyQuestion,
    private readonly folded: FoldedState,
    private readonly keys: KeyVault,
  ) {
    this.fingerprints = new Fingerprints(question.fingerprint_key);
  }

  /** Those of the ids whose entry is right: made of the record, or missing as the record is. */
  async among(
    family: string,
    ids: readonly string[],
    entries: readonly Entry[],
  ): Promise<ReadonlySet<string>> {
    const { open } = await this.keyringFor(family, ids);
    const source = stateSource(this.folded.state, open);
    const found = new Map(entries.map((entry) => [entry.id, entry]));
    const right = ids.filter((id) => {
      const [document, entry] = [source.document(family, id), found.get(id)];
      if (!document || !entry) return !document && !entry;
      if (entry.revision !== document.revision) return false;
      return entry.fingerprint === this.fingerprints.of(this.question.drive_id, document);
    });
    return new Set(right);
  }

  /** The keys of some records. They are read anew for each page and not kept: a key may be destroyed at any time. */
  private async keyringFor(family: string, ids: readonly string[]): Promise<Keyring> {
    const { drive_id } = this.question;
    const { state } = this.folded;
    const key_ids = new Set<string>();
    for (const id of ids)
      for (const value of Object.values(state.table(family)?.get(id) ?? {}))
        if (value instanceof Box) key_ids.add(value.key_id);
    const keys = new Map<string, Uint8Array>();
    for (const key_id of key_ids) {
      const key = await this.keys.get(drive_id, key_id);
      if (key) keys.set(key_id, key);
    }
    const keyring = new Keyring(drive_id, keys);
    keyring.forget([...key_ids].filter((key_id) => state.subjects.isErased(key_id)));
    return keyring;
  }
}

/**
 * Rechecks mismatches until there are none, or until documents and fold were at one revision: a durable read model is
 * usually behind the stream or ahead of this process. Its documents are written before its checkpoint, so they can be
 * ahead although the checkpoint is not; a step that stays unfinished counts as drift in the end.
 * @throws Unavailable `read-model-behind` if it does not reach the fold
 */
async function recheckWhereBothStand(
  served: ServedDrive,
  families: readonly string[],
  { state }: FoldedState,
  catchUp: () => Promise<unknown>,
  recheck: () => Promise<boolean>,
): Promise<void> {
  let stand_together = false;
  for (let round = 0; round < MOST_RECHECKS; round++) {
    if (round > 0) await pause(RECHECK_MS);
    await served.follow();
    await catchUp();
    const before = await served.checkpoint();
    stand_together = false;
    if (before < state.revision) continue;
    if (await recheck()) return;
    // Before the checkpoint is read again: a step that ends in between moves it.
    const is_within_step = await served.isWithinStep(families);
    stand_together = before === state.revision && (await served.checkpoint()) === before;
    if (stand_together && !is_within_step) return;
  }
  if (!stand_together) throw new Unavailable('read-model-behind');
}

/** The record's own revision; for a document without a record the state's. */
function revisionOf({ state }: FoldedState, { family, id }: DocumentKey): number {
  const record: RecordBase | undefined = state.table(family)?.get(id);
  return record?.revision ?? state.revision;
}

/**
 * Number of records in which a snapshot differs from the state folded to its revision, with its idempotency keys;
 * differences outside records count as one. Null: it is unreadable.
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
function frameOf({ state, hash, frontier, keys }: FoldedState): string {
  return JSON.stringify([
    keys.validAt(state.timestamp_ms),
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
