import { setTimeout as after } from 'node:timers/promises';
import type { Subjects } from '../../domain/foundation/subjects.js';
import type { KeyVault } from '../../event-store/stores.js';
import type { Keyring } from './keyring.js';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 60_000;

interface ErasureOptions {
  readonly drive_id: string;
  /** With all keys of the vault. */
  readonly keyring: Keyring;
  readonly vault: KeyVault;
  /** Called when texts can no longer be read, so that caches of opened texts are cleared. */
  readonly forgotten: () => void;
  /** Ends the retries. */
  readonly stopping: AbortSignal;
}

/**
 * Destroys the keys of erased people everywhere. The event comes first; a key that is found after its event,
 * following a crash or in a restored backup, is destroyed.
 */
export class Erasure {
  private readonly destroyed = new Set<string>();
  /** Keys that the vault failed to destroy; nothing is opened with them any more. */
  private readonly left = new Set<string>();
  private retrying: Promise<void> | null = null;

  constructor(
    private readonly options: ErasureOptions,
    subjects: Subjects,
  ) {
    const { keyring } = options;
    for (const key_id of subjects.erasedKeys())
      if (!keyring.has(key_id)) this.destroyed.add(key_id);
    // Distinguishes erased data from data without a key.
    keyring.forget([...this.destroyed]);
  }

  /**
   * Destroys the keys of people erased since the last call; null if there are none. What fails is retried in the
   * background: commands that erase nobody do not wait for it.
   */
  enforce(subjects: Subjects): Promise<void> | null {
    if (subjects.erased_size === this.destroyed.size + this.left.size) return null;
    const erased = [...subjects.erasedKeys()];
    return this.destroy(erased.filter((key_id) => !this.isKnown(key_id)));
  }

  private async destroy(key_ids: readonly string[]): Promise<void> {
    const { keyring, forgotten } = this.options;
    // First: the data is hidden even if its key cannot be destroyed at once.
    keyring.forget(key_ids);
    forgotten();
    for (const key_id of key_ids) this.left.add(key_id);
    try {
      await this.destroyNow(key_ids);
    } catch (error) {
      this.retrying ??= this.retry().finally(() => (this.retrying = null));
      throw error;
    }
  }

  private async retry(): Promise<void> {
    const { stopping } = this.options;
    for (let wait_ms = FIRST_RETRY_MS; this.left.size > 0 && !stopping.aborted;) {
      await after(wait_ms, undefined, { ref: false, signal: stopping }).catch(() => {});
      wait_ms = Math.min(wait_ms * 2, LONGEST_RETRY_MS);
      // The first failure was thrown.
      if (!stopping.aborted) await this.destroyNow([...this.left]).catch(() => {});
    }
  }

  private async destroyNow(key_ids: readonly string[]): Promise<void> {
    await this.options.vault.destroy(this.options.drive_id, key_ids);
    for (const key_id of key_ids) {
      this.left.delete(key_id);
      this.destroyed.add(key_id);
    }
  }

  private isKnown(key_id: string): boolean {
    return this.destroyed.has(key_id) || this.left.has(key_id);
  }
}
