import type { FoldableEvent } from '../../event-store/port.js';
import type { KeyVault } from '../../event-store/stores.js';
import { boxesIn } from './codec.js';
import type { Keyring } from './keyring.js';

/** Adds the keys that other writers stored before they appended these events. */
export async function learnKeys(
  vault: KeyVault,
  drive_id: string,
  keyring: Keyring,
  events: readonly FoldableEvent[],
): Promise<void> {
  const missing = new Set<string>();
  for (const { data } of events)
    for (const { key_id } of boxesIn(data)) if (!keyring.has(key_id)) missing.add(key_id);
  for (const key_id of missing) {
    const key = await vault.get(drive_id, key_id);
    if (key) keyring.learn(key_id, key);
  }
}
