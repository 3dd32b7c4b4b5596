import type { DriveState } from '../../domain/foundation/state.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { Box } from '../../domain/kernel/sealed.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { Keyring } from './keyring.js';

/** Adds the keys that other writers stored before they appended these records. */
export async function learnKeys(
  vault: KeyVault,
  keyring: Keyring,
  state: DriveState,
  touched: readonly TouchedKey[],
): Promise<void> {
  const missing = new Set<string>();
  for (const { family, id } of touched)
    for (const value of Object.values(state.table(family)!.get(id) ?? {}))
      if (value instanceof Box && !keyring.has(value.key_id)) missing.add(value.key_id);
  for (const key_id of missing) {
    const key = await vault.get(state.drive_id, key_id);
    if (key) keyring.learn(key_id, key);
  }
}
