import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

import { answerQuestions } from '../../../threads/answering.js';
import type { Subtree } from '../../port.js';
import { FOLDABLE_COLUMNS, type FoldableRow, FROM_REVISION, namesById } from '../events-file.js';
import { rows as rowsOf } from './database.js';

/** A page to read. */
export interface PageQuestion {
  readonly stream: string;
  readonly from: number;
  readonly limit: number;
  /** Position of the last event that may be shown. */
  readonly up_to: number;
  /** Recompute all hashes, the first event's from this one; hex. */
  readonly genesis?: string | undefined;
  readonly subtrees?: boolean | undefined;
  readonly metadata?: boolean | undefined;
}

/** The metadata of a page's events one after the other, in UTF-8, and the end of each. */
export interface PageMetadata {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** A page as the thread passes it: of all forms that can be passed to another thread, lists are the cheapest to receive. */
export interface PageColumns {
  readonly event_ids: readonly string[];
  readonly bodies: readonly string[];
  readonly metadata: PageMetadata | undefined;
  /** Revision, number of the type and time of each event. */
  readonly numbers: Float64Array;
  /** 32 bytes for each event. */
  readonly hashes: Uint8Array;
  readonly subtrees: readonly Subtree[] | undefined;
}

/** Path of the file with the events. */
export interface PageThreadData {
  readonly path: string;
}

/** The last two are only read where they are needed. */
type EventRow = FoldableRow & { readonly 6: string; readonly 7: number };

const HASH_BYTES = 32;
const FIRST_ROOM_BYTES = 64 * 1024;
const BYTES_PER_CHAR = 3;

const { path } = workerData as PageThreadData;
const db = new DatabaseSync(path, { readOnly: true, timeout: 200 });
// Nearly all of the file is read through memory mapping.
db.exec('PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -4096');

const lean = rowsOf(db, `SELECT ${FOLDABLE_COLUMNS} ${FROM_REVISION}`);
const whole = rowsOf(db, `SELECT ${FOLDABLE_COLUMNS}, metadata, version ${FROM_REVISION}`);
const typeOf = namesById(rowsOf(db, 'SELECT name FROM types WHERE id = ?'));

let room = Buffer.allocUnsafeSlow(FIRST_ROOM_BYTES);

/** Whether the hash of an event is that of the engine's `eventHash`. @param previous hex */
function isHashed(previous: string, row: EventRow): boolean {
  const [revision, event_id, type_id, timestamp_ms, data, hex] = row;
  const { 6: metadata, 7: version } = row;
  const text =
    `{"data":${data},"event_id":"${event_id}","metadata":${metadata},"revision":${revision},` +
    `"timestamp_ms":${timestamp_ms},"type":"${typeOf(type_id)}","version":${version}}`;
  const most = HASH_BYTES + BYTES_PER_CHAR * text.length;
  if (most > room.length) room = Buffer.allocUnsafeSlow(2 * most);
  room.write(previous, 0, 'hex');
  const bytes = room.subarray(0, HASH_BYTES + room.write(text, HASH_BYTES, 'utf8'));
  return hash('sha256', bytes, 'hex') === hex.toLowerCase();
}

const leaf = Buffer.alloc(1 + HASH_BYTES);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** The largest whole subtrees over the hashes of a page (RFC 6962). */
function subtreesOf(rows: readonly EventRow[], hashes: Buffer): Subtree[] {
  const found: Subtree[] = [];
  for (let nth = 0; nth < rows.length; nth++) {
    hashes.copy(leaf, 1, HASH_BYTES * nth, HASH_BYTES * (nth + 1));
    let level = 0;
    let root = hash('sha256', leaf, 'binary');
    let index = rows[nth]![0];
    for (; index % 2 === 1 && found.at(-1)?.level === level; index = (index - 1) / 2) {
      node.write(found.pop()!.root, 1, 'latin1');
      node.write(root, 1 + HASH_BYTES, 'latin1');
      root = hash('sha256', node, 'binary');
      level++;
    }
    found.push({ level, root });
  }
  return found;
}

function metadataOf(rows: readonly EventRow[]): PageMetadata {
  let most = 0;
  for (const row of rows) most += BYTES_PER_CHAR * row[6].length;
  const texts = Buffer.allocUnsafeSlow(most);
  const ends = new Uint32Array(rows.length);
  let end = 0;
  let nth = 0;
  for (const row of rows) ends[nth++] = end += texts.write(row[6], end);
  return { bytes: new Uint8Array(texts.subarray(0, end)), ends };
}

/** Whether the events follow each other by their hashes. */
function isChain({ stream, from, up_to, genesis }: PageQuestion, rows: readonly EventRow[]) {
  const before = (): EventRow | undefined =>
    lean.maybe(stream, from - 1, up_to, 1) as EventRow | undefined;
  let previous = from > 0 ? before()?.[5] : genesis;
  for (const row of rows) {
    if (previous === undefined || !isHashed(previous, row)) return false;
    previous = row[5];
  }
  return true;
}

/** Null if a hash does not match. */
function read(question: PageQuestion): { answer: PageColumns | null; moved?: Uint8Array[] } {
  const { stream, from, limit, up_to, genesis, ...wanted } = question;
  const statement = genesis || wanted.metadata ? whole : lean;
  const rows = statement.all(stream, from, up_to, limit) as EventRow[];
  if (genesis && !isChain(question, rows)) return { answer: null };
  const event_ids: string[] = [];
  const bodies: string[] = [];
  const numbers = new Float64Array(3 * rows.length);
  const hashes = Buffer.allocUnsafeSlow(HASH_BYTES * rows.length);
  let nth = 0;
  for (const row of rows) {
    numbers[3 * nth] = row[0];
    numbers[3 * nth + 1] = row[2];
    numbers[3 * nth + 2] = row[3];
    event_ids.push(row[1]);
    bodies.push(row[4]);
    hashes.write(row[5], HASH_BYTES * nth++, 'hex');
  }
  const subtrees = wanted.subtrees ? subtreesOf(rows, hashes) : undefined;
  const metadata = wanted.metadata ? metadataOf(rows) : undefined;
  const answer = { event_ids, bodies, metadata, numbers, hashes, subtrees };
  return { answer, moved: [numbers, hashes, ...(metadata ? Object.values(metadata) : [])] };
}

/** The program of the thread that reads pages (see `PageReader`). */
answerQuestions<PageQuestion | { readonly closes: true }>(parentPort!, async (question) => {
  if (!('closes' in question)) return read(question);
  db.close();
  return { answer: undefined };
});
