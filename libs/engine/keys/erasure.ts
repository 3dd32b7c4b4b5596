import type { Subjects } from '../../domain/foundation/subjects.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { Keyring } from './keyring.js';

/**
 * Sees to it that the keys of erased people are nowhere. The event comes first; whoever meets it and
 * still finds a key, after a crash or in a restored backup, destroys that key.
 */
export class Erasure {
  private readonly destroyed = new Set<string>();

  /** @param keyring with every key that the vault holds */
  constructor(
    private readonly drive_id: string,
    private readonly keyring: Keyring,
    private readonly vault: KeyVault,
    /** Told when texts can no longer be read: whoever keeps opened ones lets go of them. */
    private readonly forgotten: () => void,
    subjects: Subjects,
  ) {
    for (const key_id of subjects.erasedKeys())
      if (!keyring.has(key_id)) this.destroyed.add(key_id);
    // So that what they sealed is told from what is only closed.
    keyring.forget([...this.destroyed]);
  }

  /** Destroys what is left to destroy; until it has, every later call tries again. */
  async enforce(subjects: Subjects): Promise<void> {
    if (subjects.erased_size === this.destroyed.size) return;
    const left = [...subjects.erasedKeys()].filter((key_id) => !this.destroyed.has(key_id));
    // First: what cannot be destroyed at once is at least not shown any more.
    this.keyring.forget(left);
    this.forgotten();
    await this.vault.destroy(this.drive_id, left);
    for (const key_id of left) this.destroyed.add(key_id);
  }
}
