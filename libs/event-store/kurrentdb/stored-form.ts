/**
 * The stored form of events in KurrentDB. Stream, event id and type are those of the port. The data are the event's
 * `data`, byte for byte, with content type JSON so that projections and other tools can read them. The metadata are
 * one JSON object whose member names and order never change:
 *
 *     {"hash":"<hex>","metadata":<the event's metadata>,"timestamp_ms":<integer>,"version":<integer>}
 *
 * `metadata` is the port's text unchanged. A text that is not JSON is stored as a JSON string in `metadata_text`
 * instead.
 *
 * The client parses JSON on reading and writes the parsed form, which changes bytes (order of number-like names,
 * notation of numbers). Events are therefore read as raw bytes beneath it, and an event whose data it would change is
 * written as binary: same bytes, other content type. In canonical JSON this affects only names that are whole
 * numbers.
 */
import { type EventData, type JSONType, binaryEvent, jsonEvent } from '@kurrent/kurrentdb-client';

import { ForeignEvent, type NewEvent, type Retention, type StoredEvent } from '../port.js';

/** An event as the client's native reader returns it. */
export interface RawEvent {
  readonly streamId: string;
  readonly id: string;
  readonly type: string;
  readonly revision: bigint;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  readonly position?: { readonly commit: bigint };
}

/** @throws TypeError for values that are not text, before the client would fail while sending */
export function toKurrent({ event_id: id, type, ...event }: NewEvent): EventData {
  const metadata = new Uint8Array(Buffer.from(envelope(event)));
  const data = sameWhenWritten(event.data);
  return data === null
    ? binaryEvent({ id, type, data: Buffer.from(event.data), metadata })
    : jsonEvent({ id, type, data, metadata });
}

/** @throws ForeignEvent; RangeError for positions beyond 2^53 */
export function fromKurrent(raw: RawEvent): StoredEvent {
  const { streamId: stream, id: event_id, type, revision, data } = raw;
  const said = readEnvelope(Buffer.from(raw.metadata).toString());
  if (!said) throw new ForeignEvent(stream, exact(revision), type);
  return {
    stream,
    revision: exact(revision),
    position: positionOf(raw),
    event_id,
    type,
    data: Buffer.from(data).toString(),
    ...said,
  };
}

/** @throws Error for servers before 22.6, whose streams have no positions; RangeError */
export function positionOf({ position, streamId }: RawEvent): number {
  if (!isPosition(position?.commit))
    throw new Error(`stream ${streamId}: the server sends no positions; 22.6 or later is required`);
  return exact(position.commit);
}

/** False for a missing position or the largest number, which stand for none. */
export function isPosition(commit: bigint | undefined): commit is bigint {
  return commit !== undefined && commit < 1n << 63n;
}

/** @throws RangeError */
export function exact(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`the server sent the invalid position ${value}`);
  return Number(value);
}

/** The parsed text if the client writes it back unchanged, or null. */
function sameWhenWritten(text: string): JSONType | null {
  const value = parsed(text);
  return typeof value === 'object' && value !== null && JSON.stringify(value) === text
    ? (value as JSONType)
    : null;
}

/** The parsed JSON, or undefined for other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Enveloped = Pick<NewEvent, 'hash' | 'metadata' | 'timestamp_ms' | 'version'>;

function envelope({ hash, metadata, timestamp_ms, version }: Enveloped): string {
  const text =
    parsed(metadata) === undefined
      ? `"metadata_text":${JSON.stringify(metadata)}`
      : `"metadata":${metadata}`;
  const hex = Buffer.from(hash).toString('hex');
  return `{"hash":"${hex}",${text},"timestamp_ms":${timestamp_ms},"version":${version}}`;
}

const ENVELOPE =
  /^\{"hash":"(?<hash>[0-9a-f]*)","(?<kind>metadata|metadata_text)":(?<text>.*),"timestamp_ms":(?<timestamp_ms>-?\d+),"version":(?<version>\d+)\}$/s;

/** Splits the envelope as text: parsing and writing `metadata` again could change its bytes. */
function readEnvelope(text: string): Enveloped | null {
  const found = ENVELOPE.exec(text)?.groups;
  if (!found) return null;
  return {
    hash: new Uint8Array(Buffer.from(found.hash!, 'hex')),
    metadata: found.kind === 'metadata' ? found.text! : String(parsed(found.text!)),
    timestamp_ms: Number(found.timestamp_ms),
    version: Number(found.version),
  };
}

/** The retention in a stream's metadata; null for none, or if the metadata is not a JSON object. */
export function retentionIn(metadata: string): Retention | null {
  const set = settingsIn(metadata);
  const max_age_s = numberIn(set.$maxAge);
  const max_count = numberIn(set.$maxCount);
  const truncate_before = numberIn(set.$tb) || null;
  if (max_age_s === null && max_count === null && truncate_before === null) return null;
  return { max_age_s, max_count, truncate_before };
}

function settingsIn(metadata: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(metadata)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
