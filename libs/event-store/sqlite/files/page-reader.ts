import { Worker } from 'node:worker_threads';

import { Thread } from '../../../threads/thread.js';
import type { FoldableEvent, FoldablePage, Subtree } from '../../port.js';

/**
 * The thread's whole program, as text: it runs the same from compiled files and from sources under a test runner.
 *
 * It answers with a list for each column: of all forms that can be passed to another thread, the cheapest to receive.
 * If `genesis` is given, it recomputes the hashes, as `eventHash` of the engine does.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { hash } = require('node:crypto');
const { DatabaseSync } = require('node:sqlite');
const db = new DatabaseSync(workerData.path, { readOnly: true, timeout: 200 });
// Nearly all of the file is read through memory mapping.
db.exec('PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -4096');
function query(columns) {
  const statement = db.prepare(
    'SELECT ' + columns + ' FROM events WHERE stream_id = (SELECT id FROM streams WHERE name = ?)' +
    ' AND revision >= ? AND position <= ? ORDER BY revision LIMIT ?');
  statement.setReturnArrays(true);
  return statement;
}
const lean = query('revision, event_id, type_id, timestamp_ms, data, hex(hash)');
const whole = query('revision, event_id, type_id, timestamp_ms, data, hex(hash), metadata, version');
const nameOf = db.prepare('SELECT name FROM types WHERE id = ?');
const names = new Map();
function typeOf(id) {
  if (!names.has(id)) names.set(id, nameOf.get(id).name);
  return names.get(id);
}
let room = Buffer.allocUnsafeSlow(64 * 1024);
function isHashed(previous, [revision, event_id, type_id, timestamp_ms, data, hex, metadata, version]) {
  const text = '{"data":' + data + ',"event_id":"' + event_id + '","metadata":' + metadata +
    ',"revision":' + revision + ',"timestamp_ms":' + timestamp_ms + ',"type":"' + typeOf(type_id) +
    '","version":' + version + '}';
  const most = 32 + 3 * text.length;
  if (most > room.length) room = Buffer.allocUnsafeSlow(2 * most);
  room.write(previous, 0, 'hex');
  const bytes = room.subarray(0, 32 + room.write(text, 32, 'utf8'));
  return hash('sha256', bytes, 'hex') === hex.toLowerCase();
}
const leaf = Buffer.alloc(33);
const node = Buffer.alloc(65, 1);
function subtreesOf(rows, hashes) {
  const found = [];
  for (let nth = 0; nth < rows.length; nth++) {
    hashes.copy(leaf, 1, 32 * nth, 32 * nth + 32);
    let level = 0;
    let root = hash('sha256', leaf, 'binary');
    for (let index = rows[nth][0]; index % 2 === 1 && found.at(-1)?.level === level; index = (index - 1) / 2) {
      node.write(found.pop().root, 1, 'latin1');
      node.write(root, 33, 'latin1');
      root = hash('sha256', node, 'binary');
      level++;
    }
    found.push({ level, root });
  }
  return found;
}
function read({ stream, from, limit, up_to, genesis, subtrees: has_subtrees, metadata: has_metadata }) {
  const rows = (genesis || has_metadata ? whole : lean).all(stream, from, up_to, limit);
  if (genesis) {
    let previous = from > 0 ? lean.get(stream, from - 1, up_to, 1)?.[5] : genesis;
    for (const row of rows) {
      if (previous === undefined || !isHashed(previous, row)) return { answer: null };
      previous = row[5];
    }
  }
  const event_ids = [];
  const bodies = [];
  const numbers = new Float64Array(3 * rows.length);
  const hashes = Buffer.allocUnsafeSlow(32 * rows.length);
  let nth = 0;
  for (const row of rows) {
    numbers[3 * nth] = row[0];
    numbers[3 * nth + 1] = row[2];
    numbers[3 * nth + 2] = row[3];
    event_ids.push(row[1]);
    bodies.push(row[4]);
    hashes.write(row[5], 32 * nth++, 'hex');
  }
  const subtrees = has_subtrees && subtreesOf(rows, hashes);
  const moved = [numbers.buffer, hashes.buffer];
  const metadata = has_metadata ? metadataOf(rows) : undefined;
  if (metadata) moved.push(metadata.bytes.buffer, metadata.ends.buffer);
  return { answer: { event_ids, bodies, metadata, numbers, hashes, subtrees }, moved };
}
function metadataOf(rows) {
  const bytes = new TextEncoder().encode(rows.map((row) => row[6]).join(''));
  const ends = new Uint32Array(rows.length);
  let end = 0;
  let nth = 0;
  for (const row of rows) ends[nth++] = end += Buffer.byteLength(row[6]);
  return { bytes, ends };
}
parentPort.on('message', ({ id, question: { stream, ...asked } }) => {
  try {
    if (stream === undefined) db.close();
    const { answer, moved } = stream === undefined ? {} : read({ stream, ...asked });
    parentPort.postMessage({ id, answer }, moved);
  } catch (error) {
    parentPort.postMessage({ id, failure: error.message });
  }
});
`;

/** The metadata of a page's events one after the other, in UTF-8, and the end of each. */
interface Metadata {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
}

/** A page as the thread passes it. */
interface Columns {
  readonly event_ids: readonly string[];
  readonly bodies: readonly string[];
  readonly metadata: Metadata | undefined;
  /** Revision, number of the type and time of each event. */
  readonly numbers: Float64Array;
  /** 32 bytes for each event. */
  readonly hashes: Uint8Array;
  readonly subtrees: readonly Subtree[] | undefined;
}

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

const HASH_BYTES = 32;

/** Reads pages of long folds in a thread with a connection of its own. */
export class PageReader {
  private readonly thread: Thread;
  private started: Promise<void> | undefined;
  private is_running = false;

  constructor(path: string) {
    this.thread = new Thread(
      'the reading thread',
      () => new Worker(PROGRAM, { eval: true, name: 'sqlite-pages', workerData: { path } }),
    );
  }

  /**
   * Null if the caller must read itself: the thread is being started or has ended, it cannot read the file, or a hash
   * does not match.
   */
  async read(
    question: PageQuestion,
    typeOf: (type_id: number) => string,
  ): Promise<FoldablePage | null> {
    if (!this.is_running) {
      this.start();
      return null;
    }
    try {
      const columns = await this.thread.ask<Columns | null>(question);
      return columns && pageOf(columns, typeOf);
    } catch {
      // A reader that fails again costs one question each time.
      this.is_running = false;
      return null;
    }
  }

  async close(): Promise<void> {
    await this.started;
    await this.thread.close({}).catch(() => this.thread.end());
  }

  private start(): void {
    if (this.started) return;
    const nothing: PageQuestion = { stream: '', from: 0, limit: 0, up_to: 0 };
    this.started = this.thread
      .ask(nothing)
      .then(
        () => void (this.is_running = true),
        () => {},
      )
      .finally(() => (this.started = undefined));
  }
}

function pageOf(
  { event_ids, bodies, metadata, numbers, hashes, subtrees }: Columns,
  typeOf: (type_id: number) => string,
): FoldablePage {
  const page = bodies.map((data, nth) => {
    const at = 3 * nth;
    const type = typeOf(numbers[at + 1]!);
    const time = numbers[at + 2]!;
    const [revision, event_id] = [numbers[at]!, event_ids[nth]!];
    return new PageEvent(revision, event_id, type, time, data, metadata, hashes, nth);
  });
  return subtrees ? Object.assign(page, { subtrees }) : page;
}

/** An event of a page; its hash is copied on demand, its metadata are not copied. */
class PageEvent implements FoldableEvent {
  constructor(
    readonly revision: number,
    readonly event_id: string,
    readonly type: string,
    readonly timestamp_ms: number,
    readonly data: string,
    private readonly all_metadata: Metadata | undefined,
    private readonly hashes: Uint8Array,
    private readonly nth: number,
  ) {}

  /** Undefined unless asked for. */
  get metadata(): Uint8Array | undefined {
    const { all_metadata, nth } = this;
    if (!all_metadata) return undefined;
    const { bytes, ends } = all_metadata;
    return bytes.subarray(nth === 0 ? 0 : ends[nth - 1], ends[nth]);
  }

  get hash(): Buffer {
    const at = HASH_BYTES * this.nth;
    return Buffer.from(this.hashes.subarray(at, at + HASH_BYTES));
  }
}
