import { BrokenChain, ChainChecker, type ChainedEvent } from './chain.js';
import { count, fromHex, Malformed } from './hashes.js';

/**
 * Streams of events as a file: newline-delimited JSON, one stream after another. Each stream is a line that
 * names it, a line for every event with the very texts that are stored, and a line that says how it ends, so
 * that a file that was cut off is noticed. See docs/export-format.md.
 */

const FORMAT = 'drive-stream';
const FORMAT_VERSION = 1;

/** Longest line that is read, in characters: an append is 1 MiB at most, and escaping lengthens it. */
export const LONGEST_LINE = 8 * 1024 * 1024;

/** The first line of a stream. */
export interface StreamHeader {
  /** UUID, the same for all streams of one export and for its keys. */
  readonly export_id: string;
  readonly drive_id: string;
  /** Place of the stream in the file, from 1. */
  readonly stream: number;
  /** Streams in the file. */
  readonly streams: number;
  /** Events that follow. */
  readonly events: number;
  /** When it was exported, milliseconds since epoch. */
  readonly exported_ms: number;
}

/** The last line of a stream. */
interface StreamEnd {
  readonly drive_id: string;
  readonly events: number;
  /** Hash of the last event, hex. */
  readonly chain_hash: string;
  /** Root of the log over all events, hex. */
  readonly log_root: string;
}

export type StreamPart =
  | { readonly kind: 'header'; readonly header: StreamHeader }
  | { readonly kind: 'event'; readonly event: ChainedEvent }
  | { readonly kind: 'end'; readonly end: StreamEnd };

/** True for the parsed first line of such a file. */
export function isStreamHeader(line: unknown): boolean {
  return (line as { format?: unknown } | null)?.format === FORMAT;
}

/** A part as its line, without the line's end. */
export function lineOf(part: StreamPart): string {
  switch (part.kind) {
    case 'header':
      return JSON.stringify({ format: FORMAT, format_version: FORMAT_VERSION, ...part.header });
    case 'event': {
      const { revision, event_id, type, version, timestamp_ms } = part.event;
      const { metadata, data, hash } = part.event;
      return JSON.stringify({
        ...{ revision, event_id, type, version, timestamp_ms, metadata, data },
        hash: Buffer.from(hash).toString('hex'),
      });
    }
    case 'end':
      return JSON.stringify({ end: FORMAT, ...part.end });
  }
}

/** Reads lines as parts, each by itself. @throws Malformed naming the line */
export async function* partsOf(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<StreamPart> {
  let number = 0;
  for await (const line of lines) {
    number++;
    try {
      yield partOf(JSON.parse(line));
    } catch (error) {
      const why = error instanceof Malformed ? error.message : 'it is not JSON';
      throw new Malformed(`line ${number}: ${why}`);
    }
  }
}

function partOf(value: unknown): StreamPart {
  if (typeof value !== 'object' || value === null) throw new Malformed('it is not an object');
  const line = value as Record<string, unknown>;
  if ('format' in line) return { kind: 'header', header: headerOf(line) };
  if ('end' in line) return { kind: 'end', end: endOf(line) };
  return { kind: 'event', event: eventOf(line) };
}

function headerOf(line: Record<string, unknown>): StreamHeader {
  if (line.format !== FORMAT) throw new Malformed('it is not an export of streams');
  if (line.format_version !== FORMAT_VERSION)
    throw new Malformed(
      `it has format_version ${String(line.format_version)}; this release reads ${FORMAT_VERSION}`,
    );
  return {
    export_id: text(line.export_id, 'export_id'),
    drive_id: text(line.drive_id, 'drive_id'),
    stream: count(line.stream, 'stream'),
    streams: count(line.streams, 'streams'),
    events: count(line.events, 'events'),
    exported_ms: count(line.exported_ms, 'exported_ms'),
  };
}

function endOf(line: Record<string, unknown>): StreamEnd {
  return {
    drive_id: text(line.drive_id, 'drive_id'),
    events: count(line.events, 'events'),
    chain_hash: fromHex(line.chain_hash, 'chain_hash').toString('hex'),
    log_root: fromHex(line.log_root, 'log_root').toString('hex'),
  };
}

function eventOf(line: Record<string, unknown>): ChainedEvent {
  return {
    revision: count(line.revision, 'revision'),
    event_id: text(line.event_id, 'event_id'),
    type: text(line.type, 'type'),
    version: count(line.version, 'version'),
    timestamp_ms: count(line.timestamp_ms, 'timestamp_ms'),
    metadata: text(line.metadata, 'metadata'),
    data: text(line.data, 'data'),
    hash: fromHex(line.hash, 'the hash of an event'),
  };
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new Malformed(`${what} is not a text`);
  return value;
}

/** A stream of a file is invalid: an event was changed, omitted or inserted, or the end is missing. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
  constructor(
    readonly drive_id: string,
    /** The first revision that does not fit; what is before it does. */
    readonly revision: number,
    reason: string,
  ) {
    super(`${drive_id}: revision ${revision}: ${reason}`);
  }
}

/**
 * Hands parts on once they are found right: every event by its hash and number, every stream by its end, the
 * file by the number of its streams. What is wrong is never handed on.
 * @param observe called for each event, with the checker just after it
 * @throws BrokenFile; Malformed for parts in the wrong order
 */
export async function* checkedParts(
  parts: AsyncIterable<StreamPart>,
  observe?: (checker: ChainChecker, header: StreamHeader) => void,
): AsyncGenerator<StreamPart> {
  let header: StreamHeader | null = null;
  let before: StreamHeader | null = null;
  let checker: ChainChecker | null = null;
  for await (const part of parts) {
    if (part.kind === 'header') {
      if (header) throw cut(header, checker!);
      checkPlace(part.header, before);
      ({ header } = part);
      checker = new ChainChecker(header.drive_id);
    } else if (!header || !checker) {
      throw new Malformed(
        before ? 'there is content after its end' : 'it does not name its stream',
      );
    } else if (part.kind === 'event') {
      add(checker, header, part.event);
      observe?.(checker, header);
    } else {
      checkEnd(part.end, header, checker);
      before = header;
      header = checker = null;
    }
    yield part;
  }
  if (header) throw cut(header, checker!);
  if (!before) throw new Malformed('it is empty');
  if (before.stream !== before.streams)
    throw new Malformed(`it is truncated: ${before.stream} of ${before.streams} streams are there`);
}

function add(checker: ChainChecker, { drive_id }: StreamHeader, event: ChainedEvent): void {
  try {
    checker.add(event);
  } catch (error) {
    if (!(error instanceof BrokenChain)) throw error;
    throw new BrokenFile(drive_id, error.revision, error.reason);
  }
}

function checkPlace(header: StreamHeader, before: StreamHeader | null): void {
  const { drive_id, stream, streams, export_id } = header;
  const is_next = stream === (before?.stream ?? 0) + 1 && stream <= streams;
  const is_same = before === null || (before.streams === streams && before.export_id === export_id);
  if (!is_next || !is_same)
    throw new Malformed(`the stream of ${drive_id} does not follow the one before it`);
}

function checkEnd(end: StreamEnd, { drive_id, events }: StreamHeader, checker: ChainChecker): void {
  if (checker.size < end.events || checker.size < events)
    throw new BrokenFile(drive_id, checker.size, 'it is missing');
  const fits =
    end.drive_id === drive_id &&
    end.events === checker.size &&
    events === checker.size &&
    end.chain_hash === checker.chain_hash.toString('hex') &&
    end.log_root === checker.log_root.toString('hex');
  if (!fits) throw new BrokenFile(drive_id, checker.size, 'the end is that of another stream');
}

function cut({ drive_id }: StreamHeader, { size }: ChainChecker): BrokenFile {
  return new BrokenFile(drive_id, size, 'the file is truncated here');
}
