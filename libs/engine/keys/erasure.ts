import type { Subjects } from '../../domain/foundation/subjects.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { Keyring } from './keyring.js';

/**
 * Destroys the keys of erased people everywhere. The event comes first; a key that is found after its event,
 * following a crash or in a restored backup, is destroyed.
 */
export class Erasure {
  private readonly destroyed = new Set<string>();

  /** @param keyring with all keys of the vault */
  constructor(
    private readonly drive_id: string,
    private readonly keyring: Keyring,
    private readonly vault: KeyVault,
    /** Called when texts can no longer be read, so that caches of opened texts are cleared. */
    private readonly forgotten: () => void,
    subjects: Subjects,
  ) {
    for (const key_id of subjects.erasedKeys())
      if (!keyring.has(key_id)) this.destroyed.add(key_id);
    // Distinguishes erased data from data without a key.
    keyring.forget([...this.destroyed]);
  }

  /** Destroys the remaining keys; after a failure every later call retries. */
  async enforce(subjects: Subjects): Promise<void> {
    if (subjects.erased_size === this.destroyed.size) return;
    const left = [...subjects.erasedKeys()].filter((key_id) => !this.destroyed.has(key_id));
    // First: the data is hidden even if its key cannot be destroyed at once.
    this.keyring.forget(left);
    this.forgotten();
    await this.vault.destroy(this.drive_id, left);
    for (const key_id of left) this.destroyed.add(key_id);
  }
}
