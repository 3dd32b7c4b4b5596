import { MemorySideStores } from '../../event-store/memory/index.js';
import type { KeyVault } from '../../event-store/stores.js';

/** A vault in memory, whose calls specs override. */
export class MemoryVault implements KeyVault {
  private readonly stored: KeyVault = new MemorySideStores().keys;

  get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined> {
    return this.stored.get(drive_id, key_id);
  }

  all(drive_id: string): Promise<ReadonlyMap<string, Uint8Array>> {
    return this.stored.all(drive_id);
  }

  put(drive_id: string, keys: ReadonlyMap<string, Uint8Array>): Promise<readonly string[]> {
    return this.stored.put(drive_id, keys);
  }

  destroy(drive_id: string, key_ids: readonly string[]): Promise<void> {
    return this.stored.destroy(drive_id, key_ids);
  }
}
