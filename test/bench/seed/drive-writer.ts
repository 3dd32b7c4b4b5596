import type { DomainEvent } from '../../../libs/domain/foundation/events.js';
import { encodeEvent } from '../../../libs/engine/keys/codec.js';
import { canonicalJson, eventHash, genesisHash } from '../../../libs/engine/proofs/hashing.js';
import { streamOf } from '../../../libs/engine/fold/fold.js';
import { Keyring } from '../../../libs/engine/keys/keyring.js';
import { type EventStore, type NewEvent, NO_STREAM } from '../../../libs/event-store/port.js';
import type { KeyVault } from '../../../libs/event-store/stores.js';
import { Random } from '../harness/random.js';

/** Below the store's bound for one append. */
const APPEND_BYTES = 400 * 1024;
const APPEND_EVENTS = 1000;
/** 2025-01-01, so that whatever is made lies in the past. */
const FIRST_MS = 1_735_689_600_000;

/** The circumstances that a seeded event is stored with. */
export interface SeededBy {
  readonly user_id: string;
  readonly api_key_id: string;
}

/**
 * Writes events straight into a stream as the engine would have: sealed, canonical, chained by their
 * hashes, in big appends. The same seed gives the same events, but for the nonces of sealed boxes.
 */
export class DriveWriter {
  /** Bytes of all event bodies so far, as stored. */
  body_bytes = 0;
  private readonly keyring: Keyring;
  private readonly random: Random;
  private readonly keys = new Map<string, Uint8Array>();
  private readonly stored_keys = new Set<string>();
  private last_hash: Uint8Array;
  private revision = NO_STREAM;
  private timestamp_ms = FIRST_MS;
  private waiting: NewEvent[] = [];
  private waiting_bytes = 0;

  constructor(
    private readonly store: { readonly events: EventStore; readonly keys: KeyVault },
    readonly drive_id: string,
    seed: number,
  ) {
    this.random = new Random(seed ^ 0x5eed);
    this.last_hash = genesisHash(drive_id);
    this.keyring = new Keyring(drive_id, new Map());
  }

  async add(event: DomainEvent, by: SeededBy): Promise<void> {
    const { subject_key_id } = event.data as { subject_key_id?: unknown };
    for (const key_id of ['drive', subject_key_id]) this.haveKey(key_id);
    const encoded = encodeEvent(event, this.keyring);
    this.revision++;
    this.timestamp_ms += this.random.below(20_000);
    const metadata = canonicalJson({
      actor: { ...by, via: 'API_KEY' },
      allowed_by: ['OWNER'],
      command: event.type,
      command_index: 0,
      correlation_id: this.random.uuid(),
      idempotency: null,
      reason: null,
    });
    const { revision, timestamp_ms } = this;
    const numbered = {
      ...encoded,
      revision,
      event_id: this.random.uuid(),
      timestamp_ms,
      metadata,
    };
    this.last_hash = eventHash(this.last_hash, numbered);
    this.waiting.push({ ...numbered, hash: this.last_hash });
    this.body_bytes += encoded.data.length;
    this.waiting_bytes += encoded.data.length + metadata.length;
    if (this.waiting_bytes > APPEND_BYTES || this.waiting.length >= APPEND_EVENTS)
      await this.flush();
  }

  /** Stores what waits, keys first. */
  async flush(): Promise<void> {
    const fresh = [...this.keys].filter(([key_id]) => !this.stored_keys.has(key_id));
    if (fresh.length > 0) await this.store.keys.put(this.drive_id, new Map(fresh));
    for (const [key_id] of fresh) this.stored_keys.add(key_id);
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    this.waiting_bytes = 0;
    const before = this.revision - waiting.length;
    await this.store.events.append(streamOf(this.drive_id), before, waiting);
  }

  private haveKey(key_id: unknown): void {
    if (typeof key_id !== 'string' || this.keys.has(key_id)) return;
    const key = this.random.bytes(32);
    this.keys.set(key_id, key);
    this.keyring.learn(key_id, key);
  }
}
