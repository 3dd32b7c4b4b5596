import { sha256 } from './hashing.js';

const PREVIOUS_BYTES = 32;
/** Large enough for nearly every event; larger ones get their own buffer. */
const room = Buffer.allocUnsafeSlow(64 * 1024);
/** Maximum bytes of one UTF-16 code unit in UTF-8. */
const MOST_BYTES_PER_UNIT = 3;

/** The members of a stored event that its hash covers. */
export interface HashedEvent {
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly timestamp_ms: number;
  readonly metadata: string;
  readonly data: string;
}

/** The previous hash of a stream's first event. */
export function genesisHash(drive_id: string): Buffer {
  return sha256(drive_id);
}

/**
 * Hash of an event: SHA-256 over the previous event's hash and the canonical JSON of all its other stored members.
 * `metadata` and `data` are canonical already, so the text is joined from the stored pieces, with members in the
 * order of their names.
 */
export function eventHash(previous: Uint8Array, event: HashedEvent): Buffer {
  const text =
    `{"data":${event.data},"event_id":"${event.event_id}","metadata":${event.metadata},` +
    `"revision":${event.revision},"timestamp_ms":${event.timestamp_ms},` +
    `"type":"${event.type}","version":${event.version}}`;
  const most = PREVIOUS_BYTES + MOST_BYTES_PER_UNIT * text.length;
  const bytes = most <= room.length ? room : Buffer.allocUnsafe(most);
  bytes.set(previous);
  return sha256(bytes.subarray(0, PREVIOUS_BYTES + bytes.write(text, PREVIOUS_BYTES, 'utf8')));
}
