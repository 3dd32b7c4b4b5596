import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';

import type { LogRecord } from '../event-log.js';
import { decodeRecords, encodeRecords, type Line } from '../log-file.js';

/** What one write stored, and the election whose leader made it. */
export interface Entry {
  readonly epoch: number;
  readonly records: readonly LogRecord[];
}

/** An entry on its way between nodes and in the file. */
export interface PlainEntry {
  readonly epoch: number;
  readonly records: readonly Line[];
}

export interface Ballot {
  readonly epoch: number;
  readonly voted_for: number | null;
}

/** A node's entries, acknowledged or not, and its ballot, in files that outlive a killed process. */
export class ReplicaLog {
  readonly #entries: Entry[] = [];
  /** Where each entry ends in the file. */
  readonly #ends: number[] = [];
  readonly #file: number;
  readonly #ballot_file: string;

  constructor(path: string) {
    this.#ballot_file = `${path}.ballot`;
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    if (whole.length < bytes.length) truncateSync(path, whole.length);
    for (const line of whole.toString().split('\n').slice(0, -1))
      this.#add(fromPlain(JSON.parse(line) as PlainEntry), Buffer.byteLength(line) + 1);
    this.#file = openSync(path, 'a');
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Epoch of the entry before an index, 0 before the first. */
  epochBefore(index: number): number {
    return this.#entries[index - 1]?.epoch ?? 0;
  }

  slice(from: number, until: number): readonly Entry[] {
    return this.#entries.slice(from, until);
  }

  append(entry: Entry): void {
    const line = `${JSON.stringify(toPlain(entry))}\n`;
    appendFileSync(this.#file, line);
    this.#add(entry, Buffer.byteLength(line));
  }

  truncate(length: number): void {
    this.#entries.length = length;
    this.#ends.length = length;
    ftruncateSync(this.#file, this.#ends.at(-1) ?? 0);
  }

  readBallot(): Ballot {
    if (!existsSync(this.#ballot_file)) return { epoch: 0, voted_for: null };
    return JSON.parse(readFileSync(this.#ballot_file, 'utf8')) as Ballot;
  }

  writeBallot(ballot: Ballot): void {
    const half = `${this.#ballot_file}.new`;
    writeFileSync(half, JSON.stringify(ballot));
    renameSync(half, this.#ballot_file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #add(entry: Entry, bytes: number): void {
    this.#entries.push(entry);
    this.#ends.push((this.#ends.at(-1) ?? 0) + bytes);
  }
}

export function toPlain({ epoch, records }: Entry): PlainEntry {
  return { epoch, records: encodeRecords(records) };
}

export function fromPlain({ epoch, records }: PlainEntry): Entry {
  return { epoch, records: decodeRecords(records) };
}
