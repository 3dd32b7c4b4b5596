import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { SubjectsBody } from '../domain/contacts/subjects.js';
import { DriveState, STATE_VERSION } from '../domain/drive/state.js';
import { Box } from '../domain/kernel/sealed.js';
import type { RecordBase } from '../domain/kernel/table.js';
import { Frontier } from './merkle.js';
import { RecentKeys } from './recent-keys.js';
import { StateHash } from './state-hash.js';

const compress = promisify(zstdCompress);

/** Goes up whenever what evolve produces or how snapshots are written changes; old ones are dropped. */
const SNAPSHOT_SHAPE = 7;

/** Names the shape of snapshot bodies; another shape means folding from event 0. */
export const SNAPSHOT_VERSION = `state-${STATE_VERSION}-shape-${SNAPSHOT_SHAPE}`;

/** Records serialised before the event loop gets a turn. */
const RECORDS_PER_TURN = 1000;

interface Rows {
  readonly family: string;
  /** Member names, once for all rows. */
  readonly keys: readonly string[];
  readonly rows: unknown[][];
}

interface Body {
  readonly revision: number;
  readonly timestamp_ms: number;
  readonly frontier: ReturnType<Frontier['toJSON']>;
  readonly tables: readonly Rows[];
  /** Key id and text of every box, once; a row refers to one as `{"$box": index}`, to an object as `{"$": object}`. */
  readonly boxes: readonly (readonly [string, string])[];
  readonly retired: readonly string[];
  /** Keys of deleted and of erased people. */
  readonly subjects: SubjectsBody;
  /** Idempotency keys that count. */
  readonly keys: ReturnType<RecentKeys['toJSON']>;
  /** Packed leaves of the state hash by bucket, base64. */
  readonly leaves: readonly string[];
}

/** A state with what the writer and replay keep beside it. */
export interface FoldedState {
  readonly state: DriveState;
  readonly hash: StateHash;
  frontier: Frontier;
  /** Complete for a drive that takes commands; a state folded to answer a question needs none. */
  keys: RecentKeys;
}

/** The same state, to be folded on apart for a question. */
export function copyFolded({ state, hash, frontier }: FoldedState): FoldedState {
  const copy = state.copy();
  return { state: copy, hash: hash.copyFor(copy), frontier, keys: new RecentKeys() };
}

/**
 * Writes a state as bytes. It must know all its events: a later release could not tell afterwards
 * which ones it has to fold again. What must be consistent is copied in one go (records are values, so
 * copying the lists suffices); the rest happens in small turns, so commands go on meanwhile.
 */
export async function writeSnapshot({ state, hash, frontier, keys }: FoldedState): Promise<Buffer> {
  const leaves = hash.packed();
  const copied = state.tables.map((table) => ({
    family: table.definition.name,
    records: [...table.values()],
  }));
  const frame = {
    revision: state.revision,
    timestamp_ms: state.timestamp_ms,
    frontier: frontier.toJSON(),
    retired: [...state.journal.retiredIds()],
    subjects: state.subjects.toJSON(),
    keys: keys.toJSON(),
  };
  const boxes = new Map<Box, number>();
  const tables: Rows[] = [];
  let since_turn = 0;
  for (const { family, records } of copied) {
    const shapes = new Map<string, Rows>();
    for (const record of records) {
      addRow(shapes, family, record, boxes);
      if (++since_turn % RECORDS_PER_TURN === 0) await nextTurn();
    }
    tables.push(...shapes.values());
  }
  const body: Body = {
    ...frame,
    tables,
    boxes: [...boxes.keys()].map((box) => [box.key_id, box.text] as const),
    leaves: leaves.map((bucket) => Buffer.from(bucket, 'latin1').toString('base64')),
  };
  const text = await stringifyInTurns(body);
  return compress(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

/** Reads a state back. Throws if the bytes are not a snapshot of this shape. */
export function readSnapshot(drive_id: string, bytes: Uint8Array): FoldedState {
  const body = JSON.parse(zstdDecompressSync(bytes).toString('utf8')) as Body;
  const state = new DriveState(drive_id);
  const boxes = body.boxes.map(([key_id, text]) => new Box(key_id, text));
  for (const { family, keys, rows } of body.tables) {
    const table = state.table(family);
    if (!table) throw new Error(`snapshot holds an unknown family ${family}`);
    for (const row of rows) {
      const record: Record<string, unknown> = {};
      for (let at = 0; at < keys.length; at++) record[keys[at]!] = fromRow(row[at], boxes);
      table.restore(record.id as string, record as unknown as RecordBase);
    }
  }
  for (const id of body.retired) state.journal.retire(id);
  state.subjects.restore(body.subjects);
  state.journal.revision = body.revision;
  state.timestamp_ms = body.timestamp_ms;
  const leaves = body.leaves.map((text) => Buffer.from(text, 'base64').toString('latin1'));
  const hash = new StateHash(state, leaves);
  const keys = RecentKeys.fromJSON(body.keys, body.revision);
  return { state, hash, frontier: Frontier.fromJSON(body.frontier), keys };
}

function addRow(
  shapes: Map<string, Rows>,
  family: string,
  record: RecordBase,
  boxes: Map<Box, number>,
): void {
  const keys: string[] = [];
  const row: unknown[] = [];
  for (const key of Object.keys(record)) {
    const value = (record as unknown as Readonly<Record<string, unknown>>)[key];
    // JSON would bring an undefined member back as null.
    if (value === undefined) continue;
    keys.push(key);
    row.push(toRow(value, boxes));
  }
  const shape = keys.join();
  let rows = shapes.get(shape);
  if (!rows) shapes.set(shape, (rows = { family, keys, rows: [] }));
  rows.rows.push(row);
}

function toRow(value: unknown, boxes: Map<Box, number>): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if (!(value instanceof Box)) return { $: value };
  let index = boxes.get(value);
  if (index === undefined) boxes.set(value, (index = boxes.size));
  return { $box: index };
}

function fromRow(value: unknown, boxes: readonly Box[]): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { $, $box } = value as { $?: unknown; $box?: number };
  return $box === undefined ? $ : boxes[$box];
}

/** JSON text of a body, made in pieces so that no single turn takes long. */
async function stringifyInTurns(body: Body): Promise<string> {
  const { tables, boxes, retired, leaves, ...rest } = body;
  const families: string[] = [];
  for (const { family, keys, rows } of tables) {
    const head = `"family":${JSON.stringify(family)},"keys":${JSON.stringify(keys)}`;
    families.push(`{${head},"rows":${await listInTurns(rows)}}`);
  }
  const lists: string[] = [];
  for (const [name, list] of Object.entries({ boxes, retired, leaves }))
    lists.push(`"${name}":${await listInTurns<unknown>(list)}`);
  return `{"tables":[${families.join()}],${lists.join()},${JSON.stringify(rest).slice(1)}`;
}

async function listInTurns<T>(list: readonly T[]): Promise<string> {
  const chunks: string[] = [];
  for (let at = 0; at < list.length; at += RECORDS_PER_TURN) {
    chunks.push(JSON.stringify(list.slice(at, at + RECORDS_PER_TURN)).slice(1, -1));
    await nextTurn();
  }
  return `[${chunks.join()}]`;
}
