import type { EventStore, StoredEvent } from '../../event-store/port.js';
import type { KeyVault } from '../../event-store/stores.js';
import { streamOf } from '../fold/fold.js';
import { boxesIn, erasedKeysOf } from './codec.js';

/** Events per read. */
const PAGE = 1_000;

interface Recorded {
  /** Of sealed fields, without those of erased people. */
  readonly key_ids: Set<string>;
  readonly erased: Set<string>;
  /** The last event that was noted. */
  revision: number;
}

/** Keys that drives need, collected from their events without their states. */
export class RecordedKeys {
  private readonly streams = new Map<string, Recorded>();

  note(
    stream: string,
    { revision, type, data }: Pick<StoredEvent, 'revision' | 'type' | 'data'>,
  ): void {
    let recorded = this.streams.get(stream);
    if (!recorded) this.streams.set(stream, (recorded = newRecord(revision)));
    recorded.revision = revision;
    for (const { key_id } of boxesIn(data)) recorded.key_ids.add(key_id);
    for (const key_id of erasedKeysOf({ type, data })) {
      recorded.key_ids.delete(key_id);
      recorded.erased.add(key_id);
    }
  }

  /** Number of keys of erased people that are still stored. */
  async notDestroyed(vault: KeyVault, drive_id: string): Promise<number> {
    const recorded = this.streams.get(streamOf(drive_id));
    if (!recorded || recorded.erased.size === 0) return 0;
    return [...(await vault.all(drive_id)).keys()].filter((id) => recorded.erased.has(id)).length;
  }

  /** Number of keys that a drive needs and the vault has not, also beside a service that erases people meanwhile. */
  async missing(events: EventStore, vault: KeyVault, drive_id: string): Promise<number> {
    const stream = streamOf(drive_id);
    const recorded = this.streams.get(stream);
    if (!recorded) return 0;
    const live = await vault.all(drive_id);
    const missing = new Set([...recorded.key_ids].filter((key_id) => !live.has(key_id)));
    for (let from = recorded.revision + 1; missing.size > 0;) {
      const page = await events.readStream(stream, from, 'forward', PAGE);
      if (page.length === 0) break;
      for (const event of page) for (const key_id of erasedKeysOf(event)) missing.delete(key_id);
      from = page.at(-1)!.revision + 1;
    }
    return missing.size;
  }
}

function newRecord(revision: number): Recorded {
  return { key_ids: new Set(), erased: new Set(), revision };
}

/** A sentence about keys of people who were not erased. */
export function missingKeysText(count: number): string {
  return (
    `${count} keys of people who were not erased are missing, so what is sealed with them cannot be read: ` +
    'restore side.db from a later backup, or erase the people.'
  );
}
