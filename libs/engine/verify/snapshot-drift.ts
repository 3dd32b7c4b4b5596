import type { RecordBase } from '../../domain/kernel/record.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '../../domain/kernel/table.js';
import { type FoldedState, readSnapshot } from '../snapshots/snapshot.js';
import { recordHash } from '../proofs/state-hash.js';

/** Records compared between two yields to the event loop. */
const RECORDS_PER_TURN = 1000;

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
  let drift = 0;
  let compared = 0;
  for (const table of state.tables) {
    const others = stored.state.table(table.definition.name)!;
    for (const id of new Set([...table.ids(), ...others.ids()])) {
      if (!areSame(table, others, id)) drift++;
      if (++compared % RECORDS_PER_TURN === 0) await nextTurn();
    }
  }
  return drift > 0 || frameOf(stored) === frameOf(folded) ? drift : 1;
}

function areSame(table: Table<RecordBase>, others: Table<RecordBase>, id: string): boolean {
  const [one, other] = [table.get(id), others.get(id)];
  if (!one || !other || one.revision !== other.revision) return false;
  return recordHash(table.definition, one) === recordHash(table.definition, other);
}

/** The part of a snapshot outside records, as one text. */
function frameOf({ state, hash, frontier }: FoldedState): string {
  return JSON.stringify([
    state.revision,
    state.timestamp_ms,
    hash.root(),
    frontier.toJSON(),
    [...state.undo_log.retiredIds()].sort(),
    state.subjects,
  ]);
}
