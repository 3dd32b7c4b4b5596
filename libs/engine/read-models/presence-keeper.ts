import type { ProcessRole } from '../drives/role.js';
import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { PresenceStore } from '../../event-store/stores.js';
import type { Drive } from '../writer/drive.js';

/** Interval at which times are stored and the times of other processes are read, ms. */
const FLUSH_MS = 60_000;

interface PresenceKeeperOptions {
  readonly store: PresenceStore;
  /** Decides whether other processes see users too. */
  readonly role: ProcessRole;
  readonly drives: () => Iterable<Drive>;
  readonly clock: () => number;
  /** Clock by which `Drive.last_used_ms` is. */
  readonly timer: () => number;
  readonly report: (what: string, drive_id: string, error: unknown) => void;
  readonly after_round: () => void;
}

/** Stores asynchronously when users were last seen. */
export class PresenceKeeper {
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: PresenceKeeperOptions) {
    this.timer = setInterval(() => {
      void this.flush().then(() => this.refresh());
      options.after_round();
    }, FLUSH_MS);
    this.timer.unref();
  }

  /** Stores unsaved times, and stops. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Presence is not part of the history, so it follows superswaps and deletions of contacts separately. */
  follow({ drive_id, presence, state }: Drive, touched: readonly TouchedKey[]): void {
    const { store, report } = this.options;
    for (const { family, id } of touched) {
      const swap = family === 'superswaps' ? state.superswaps.get(id) : undefined;
      if (!swap) continue;
      const { old_user_id, new_user_id } = swap;
      presence.rename(old_user_id, new_user_id);
      store
        .rename(drive_id, old_user_id, new_user_id)
        .catch((error: unknown) => report('presence not moved', drive_id, error));
    }
    for (const { family, id } of touched) {
      if (family !== 'contacts' || state.contacts.has(id)) continue;
      presence.delete(id);
      store
        .delete(drive_id, id)
        .catch((error: unknown) => report('presence not deleted', drive_id, error));
    }
  }

  async flush(): Promise<void> {
    await Promise.all([...this.options.drives()].map((drive) => this.save(drive)));
  }

  /** Reads the times of other processes, for the drives whose presence is queried. */
  async refresh(): Promise<void> {
    const { drives, role, clock, timer, store, report } = this.options;
    if (role.sole) return;
    const since = timer() - FLUSH_MS;
    for (const { drive_id, presence, last_used_ms } of [...drives()]) {
      if (last_used_ms < since) continue;
      try {
        presence.learn(await store.load(drive_id), clock());
      } catch (error) {
        report('presence not read', drive_id, error);
      }
    }
  }

  async save({ drive_id, presence }: Drive): Promise<void> {
    const seen = presence.takeUnsaved();
    if (seen.size === 0) return;
    try {
      await this.options.store.save(drive_id, seen);
    } catch (error) {
      presence.putBack(seen);
      this.options.report('presence not saved', drive_id, error);
    }
  }
}
