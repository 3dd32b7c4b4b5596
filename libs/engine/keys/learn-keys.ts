import { setTimeout as after } from 'node:timers/promises';
import { type FoldableEvent, OLD_ANSWERS_MS } from '../../event-store/port.js';
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
  const unknown = new Set<string>();
  for (const { data } of events)
    for (const { key_id } of boxesIn(data)) if (!keyring.has(key_id)) unknown.add(key_id);
  const learn = async (): Promise<void> => {
    for (const key_id of unknown) {
      const key = await vault.get(drive_id, key_id);
      if (key) keyring.learn(key_id, key);
      // A destroyed one is not missing.
      if (key !== undefined) unknown.delete(key_id);
    }
  };
  await learn();
  if (unknown.size === 0 || keyring.is_foreign) return;
  // Lost, or an old answer: without its key, what the event sets would stay unreadable here.
  await after(OLD_ANSWERS_MS, undefined, { ref: false });
  await learn();
}
