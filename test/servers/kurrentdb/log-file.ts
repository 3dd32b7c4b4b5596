import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  truncateSync,
} from 'node:fs';

import type { LogRecord } from './event-log.js';

/** A record as JSON holds it: bytes in base64. */
export type Line = Omit<LogRecord, 'data' | 'metadata'> & { data: string; metadata: string };

/**
 * An append-only file, one JSON line for the records of each append. What is written is with the operating system
 * before an append is answered, so it outlives a killed process; a power cut is not what it is for.
 */
export class LogFile {
  readonly #file: number;

  private constructor(
    path: string,
    readonly records: readonly LogRecord[],
  ) {
    this.#file = openSync(path, 'a');
  }

  /** Opens or creates the file; a last line cut short by a kill is cut away. */
  static open(path: string): LogFile {
    const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    if (whole.length < bytes.length) truncateSync(path, whole.length);
    const lines = whole.toString().split('\n').slice(0, -1);
    return new LogFile(path, lines.flatMap(parse));
  }

  append(records: readonly LogRecord[]): void {
    appendFileSync(this.#file, `${JSON.stringify(encodeRecords(records))}\n`);
  }

  close(): void {
    closeSync(this.#file);
  }
}

function parse(line: string): LogRecord[] {
  return decodeRecords(JSON.parse(line) as Line[]);
}

export function encodeRecords(records: readonly LogRecord[]): Line[] {
  return records.map((record) => {
    const [data, metadata] = [encode(record.data), encode(record.metadata)];
    return { ...record, data, metadata };
  });
}

export function decodeRecords(lines: readonly Line[]): LogRecord[] {
  return lines.map((line) => {
    const [data, metadata] = [decode(line.data), decode(line.metadata)];
    return { ...line, data, metadata };
  });
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function decode(text: string): Uint8Array {
  return Buffer.from(text, 'base64');
}
