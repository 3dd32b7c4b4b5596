import type { Direction, EventStore, StoredEvent } from '../../event-store/port.js';
import type { KeyVault } from '../../event-store/stores.js';
import { boxesIn } from '../keys/codec.js';
import { eventHash, genesisHash } from '../proofs/event-hash.js';
import { BrokenStream, orBroken, type StreamSource } from '../fold/fold.js';
import { Keyring } from '../keys/keyring.js';

/**
 * A stream folded from its beginning; each event is checked before it is applied: no gap, a matching hash, and sealed
 * fields that open with their keys.
 */
export class CheckedStream implements StreamSource {
  private last: Uint8Array;
  private checked = 0;
  private readonly rings = new Map<string, Keyring | null | 'unusable'>();

  constructor(
    private readonly drive_id: string,
    private readonly events: EventStore,
    private readonly keys: KeyVault,
  ) {
    this.last = genesisHash(drive_id);
  }

  /** Number of events checked. */
  get size(): number {
    return this.checked;
  }

  /** Hash of the last of them. */
  get last_hash(): Uint8Array {
    return this.last;
  }

  /** Complete events: hashes cover their metadata. */
  readFoldable(stream: string, from: number, limit: number): Promise<readonly StoredEvent[]> {
    return orBroken(this.drive_id, this.events.readStream(stream, from, 'forward', limit));
  }

  /** Checks the next events. @throws BrokenStream at the first invalid one */
  async checkPage(page: readonly StoredEvent[]): Promise<void> {
    for (const event of page) {
      if (event.revision !== this.checked)
        throw this.broken('it is missing or replaced by another event');
      if (!eventHash(this.last, event).equals(event.hash))
        throw this.broken('its hash does not match its content');
      const flaw = await this.flawOfBoxes(event);
      if (flaw) throw this.broken(flaw);
      this.last = event.hash;
      this.checked++;
    }
  }

  readStream(
    stream: string,
    from: number,
    direction: Direction,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    return this.events.readStream(stream, from, direction, limit);
  }

  private async flawOfBoxes({ data }: StoredEvent): Promise<string | null> {
    for (const box of boxesIn(data)) {
      let ring = this.rings.get(box.key_id);
      if (ring === undefined) this.rings.set(box.key_id, (ring = await this.ringOf(box.key_id)));
      if (ring === 'unusable') return `the stored key ${box.key_id} was not stored by this service`;
      try {
        ring?.open(box, '');
      } catch {
        return `its sealed fields do not open with the key ${box.key_id}`;
      }
    }
    return null;
  }

  /** A keyring with one key; null for a missing key: erased, or never imported. */
  private async ringOf(key_id: string): Promise<Keyring | null | 'unusable'> {
    try {
      const key = await this.keys.get(this.drive_id, key_id);
      return key ? new Keyring(this.drive_id, new Map([[key_id, key]])) : null;
    } catch {
      return 'unusable';
    }
  }

  private broken(reason: string): BrokenStream {
    return new BrokenStream(this.drive_id, this.checked, reason);
  }
}
