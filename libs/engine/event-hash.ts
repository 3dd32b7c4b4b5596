import { sha256, sha256Joined } from './hashing.js';

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

/** What stands for the previous hash at a stream's first event. */
export function genesisHash(drive_id: string): Buffer {
  return sha256(drive_id);
}

/**
 * Hash of an event: SHA-256 over the previous event's hash and the canonical JSON of everything else
 * stored with it. `metadata` and `data` are canonical already, so the text is joined from the stored
 * pieces: members in the order of their names.
 */
export function eventHash(previous: Uint8Array, event: HashedEvent): Buffer {
  return sha256Joined(
    previous,
    `{"data":${event.data},"event_id":"${event.event_id}","metadata":${event.metadata},` +
      `"revision":${event.revision},"timestamp_ms":${event.timestamp_ms},` +
      `"type":"${event.type}","version":${event.version}}`,
  );
}
