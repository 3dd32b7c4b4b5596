import { Malformed, leafHash, nodeHash, sha256 } from './hashes.js';
import { equal } from './merkle.js';

/** The members of a stored event that its hash covers; `metadata` and `data` as stored, canonical JSON. */
export interface ChainedEvent {
  readonly revision: number;
  readonly event_id: string;
  readonly type: string;
  readonly version: number;
  readonly timestamp_ms: number;
  readonly metadata: string;
  readonly data: string;
  readonly hash: Uint8Array;
}

/** The first event of a stream that does not match the earlier ones. */
export class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
  constructor(
    readonly revision: number,
    readonly reason: string,
  ) {
    super(`revision ${revision}: ${reason}`);
  }
}

/** Checks a stream event by event, in order, and computes the root of the log over the checked events. */
export class ChainChecker {
  private previous: Buffer;
  /** Roots of the perfect subtrees over the events so far, largest first. */
  private readonly roots: Buffer[] = [];
  private seen = 0;

  constructor(drive_id: string) {
    this.previous = sha256(drive_id);
  }

  /** Events checked so far. */
  get size(): number {
    return this.seen;
  }

  /** Hash of the last event. */
  get chain_hash(): Buffer {
    return this.previous;
  }

  /** Root of the tree over all events so far. */
  get log_root(): Buffer {
    const [smallest, ...larger] = this.roots.toReversed();
    if (!smallest) return sha256();
    return larger.reduce((right, left) => nodeHash(left, right), smallest);
  }

  /** Takes the next event. @throws BrokenChain */
  add(event: ChainedEvent): void {
    if (event.revision !== this.seen)
      throw new BrokenChain(this.seen, 'it is missing or replaced by another event');
    const hash = hashOf(this.previous, event);
    if (!equal(hash, event.hash)) throw new BrokenChain(event.revision, 'its hash does not match');
    let root = leafHash(hash);
    for (let rest = this.seen; rest % 2 === 1; rest = (rest - 1) / 2)
      root = nodeHash(this.roots.pop()!, root);
    this.roots.push(root);
    this.previous = hash;
    this.seen++;
  }
}

/** SHA-256 over the previous hash and the canonical JSON of all other stored members. */
function hashOf(previous: Uint8Array, event: ChainedEvent): Buffer {
  const { data, event_id, metadata, revision, timestamp_ms, type, version } = event;
  if (typeof data !== 'string' || typeof metadata !== 'string')
    throw new Malformed('data and metadata of an event must be texts as stored');
  const text =
    `{"data":${data},"event_id":${JSON.stringify(event_id)},"metadata":${metadata},` +
    `"revision":${revision},"timestamp_ms":${timestamp_ms},` +
    `"type":${JSON.stringify(type)},"version":${version}}`;
  return sha256(previous, text);
}
