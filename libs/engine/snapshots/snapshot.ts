import type { DriveState } from '../../domain/foundation/state.js';
import type { SubjectsBody } from '../../domain/foundation/subjects.js';
import { newDriveState, STATE_VERSION } from '../../domain/drive/state.js';
import { Frontier } from '../proofs/merkle.js';
import { RecentKeys } from '../idempotency/recent-keys.js';
import {
  BoxNumbers,
  type Shape,
  WrittenBoxes,
  writeFamily,
  WrittenRecords,
  valuesIn,
  writePieces,
} from './snapshot-columns.js';
import { packSections, unpackSections } from './snapshot-sections.js';
import { bytesOfRecords, TooLarge } from '../fold/state-bytes.js';
import { LEAF_CHARS, StateHash } from '../proofs/state-hash.js';
import { inTurns, Pace } from '../tasks/turns.js';

/** Increases whenever the output of evolve or the snapshot format changes; old snapshots are dropped. */
const SNAPSHOT_SHAPE = 12;

/** Names the format of snapshot bodies; after a change of the format, states are folded from event 0. */
export const SNAPSHOT_VERSION = `state-${STATE_VERSION}-shape-${SNAPSHOT_SHAPE}`;

/**
 * A snapshot's first section, JSON. The others follow in the order of `SECTIONS`, then one per family with records.
 */
interface Header {
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly frontier: ReturnType<Frontier['toJSON']>;
  /** Keys of deleted and of erased people. */
  readonly subjects: SubjectsBody;
  /** Number of leaves in each bucket of the state hash; null if the state was not hashed. */
  readonly leaves: readonly number[] | null;
  readonly families: readonly { readonly family: string; readonly shapes: readonly Shape[] }[];
}

/**
 * In pieces of JSON text: valid idempotency keys, ids of deleted records, boxes. Then the hashes of the roots of
 * non-empty buckets, 32 zeros for an unknown one, and all leaves one after the other.
 */
const SECTIONS = ['header', 'keys', 'retired', 'boxes', 'roots', 'leaves'] as const;

const DIGEST_CHARS = 32;
const UNKNOWN_ROOT = '\0'.repeat(DIGEST_CHARS);

/** A state with the additional data of the writer and of replay. */
export interface FoldedState {
  readonly state: DriveState;
  readonly hash: StateHash;
  frontier: Frontier;
  /** Complete for a drive that takes commands; not needed for a state that only answers queries. */
  keys: RecentKeys;
}

/**
 * Encodes a state as bytes. The state must know all types of its events: a later release could not tell which events
 * to fold again. Data that must be consistent is copied without yielding (records are immutable, so copying the lists
 * suffices); the rest is cooperative, so commands continue meanwhile.
 */
export async function writeSnapshot({ state, hash, frontier, keys }: FoldedState): Promise<Buffer> {
  const packed = hash.packed();
  const filled = state.tables.filter(({ size }) => size > 0);
  const copied = filled.map((table) => ({
    family: table.definition.name,
    records: table.currentRecords(),
  }));
  const fixed: Omit<Header, 'families'> = {
    revision: state.revision,
    timestamp_ms: state.timestamp_ms,
    frontier: frontier.toJSON(),
    subjects: state.subjects.toJSON(),
    leaves: packed && packed.leaves.map(({ length }) => length / LEAF_CHARS),
  };
  const retired = [...state.undo_log.retiredIds()];
  const used = keys.toJSON();
  const boxes = new BoxNumbers();
  const families = [];
  for (const { family, records } of copied) {
    families.push({ family, ...(await writeFamily(records, boxes)) });
  }
  const header: Header = {
    ...fixed,
    families: families.map(({ family, shapes }) => ({ family, shapes })),
  };
  const { leaves, roots } = packed ?? { leaves: [], roots: [] };
  const known_roots = roots.map((root, bucket) => (leaves[bucket] ? (root ?? UNKNOWN_ROOT) : ''));
  const sections: Record<(typeof SECTIONS)[number], readonly Buffer[]> = {
    header: [Buffer.from(JSON.stringify(header))],
    keys: await writePieces(used, (row) => row),
    retired: await writePieces(retired, (id) => id),
    boxes: await writePieces(boxes.rows(), (row) => row),
    roots: [Buffer.from(known_roots.join(''), 'latin1')],
    leaves: [Buffer.from(leaves.join(''), 'latin1')],
  };
  return packSections([
    ...SECTIONS.map((name) => sections[name]),
    ...families.map(({ parts }) => parts),
  ]);
}

interface ReadOptions {
  /** False: without idempotency keys, for a state that takes no commands. */
  readonly with_keys?: boolean;
  /** Memory limit of the state, bytes (estimated); Infinity if absent. */
  readonly most_bytes?: number | undefined;
}

/** Decodes a state, cooperatively. Rejects if the bytes are not a snapshot of this format. @throws TooLarge */
export async function readSnapshot(
  drive_id: string,
  bytes: Uint8Array,
  { with_keys = true, most_bytes = Infinity }: ReadOptions = {},
): Promise<FoldedState> {
  const sections = await unpackSections(bytes);
  const section = (name: (typeof SECTIONS)[number]): Buffer => sections[SECTIONS.indexOf(name)]!;
  const header = JSON.parse(section('header').toString()) as Header;
  const takes = bytesOfRecords(recordsIn(header));
  if (takes > most_bytes) throw new TooLarge(drive_id, takes);
  const state = newDriveState(drive_id);
  const boxes = new WrittenBoxes(section('boxes'));
  for (const [nth, { family, shapes }] of header.families.entries()) {
    const table = state.table(family);
    if (!table) throw new Error(`snapshot holds an unknown family ${family}`);
    const stored = new WrittenRecords(shapes, sections[SECTIONS.length + nth]!, boxes);
    await inTurns(table.fill(stored.ids(), stored));
  }
  const retired = section('retired');
  // Only decisions need them.
  if (with_keys) await retireInTurns(state, retired);
  else state.undo_log.retireBefore(() => new Set(valuesIn<string>(retired)));
  state.subjects.restore(header.subjects);
  state.undo_log.revision = header.revision;
  state.timestamp_ms = header.timestamp_ms;
  const { leaves } = header;
  const packed = leaves && {
    leaves: texts(
      section('leaves'),
      leaves.map((count) => count * LEAF_CHARS),
    ),
    roots: texts(
      section('roots'),
      leaves.map((count) => (count > 0 ? DIGEST_CHARS : 0)),
    ).map((root) => (root === UNKNOWN_ROOT ? null : root)),
  };
  const hash = new StateHash(state, packed);
  const keys = new RecentKeys();
  if (with_keys) await inTurns(keys.filling(valuesIn(section('keys')), header.revision));
  return { state, hash, frontier: Frontier.fromJSON(header.frontier), keys };
}

function recordsIn({ families }: Header): number {
  const shapes = families.flatMap((family) => family.shapes);
  return shapes.reduce((sum, { count }) => sum + count, 0);
}

async function retireInTurns(state: DriveState, written: Buffer): Promise<void> {
  const retired = new Set<string>();
  const pace = new Pace();
  for (const id of valuesIn<string>(written)) {
    retired.add(id);
    if (retired.size % STEP === 0 && pace.is_due) await pace.turn();
  }
  state.undo_log.retireBefore(() => retired);
}

/** Ids between two checks of the clock. */
const STEP = 100;

/** Splits bytes into texts of the given lengths, one character a byte. */
function texts(bytes: Buffer, lengths: readonly number[]): string[] {
  let at = 0;
  return lengths.map((length) => bytes.toString('latin1', at, (at += length)));
}
