import type { Rebuild, RebuildStore } from '../rebuilds.js';

const keyOf = ({ drive_id, job_id }: Rebuild): string => `${drive_id}\n${job_id}`;

/** Rebuilds in memory, for tests. */
export class MemoryRebuildStore implements RebuildStore {
  private readonly rebuilds = new Map<string, Rebuild>();

  async begin(
    rebuild: Rebuild,
    heard_since_ms: number,
  ): Promise<{ rebuild: Rebuild; is_new: boolean }> {
    for (const running of this.rebuilds.values())
      if (
        running.drive_id === rebuild.drive_id &&
        running.finished_ms === null &&
        running.heard_ms >= heard_since_ms
      )
        return { rebuild: running, is_new: false };
    this.rebuilds.set(keyOf(rebuild), rebuild);
    return { rebuild, is_new: true };
  }

  async note(rebuild: Rebuild): Promise<void> {
    const key = keyOf(rebuild);
    const known = this.rebuilds.get(key);
    if (!known || known.finished_ms !== null || known.started_ms !== rebuild.started_ms) return;
    this.rebuilds.set(key, rebuild);
  }

  async find(drive_id: string, job_id: string): Promise<Rebuild | null> {
    return this.rebuilds.get(`${drive_id}\n${job_id}`) ?? null;
  }

  async trim(before_ms: number): Promise<void> {
    for (const [key, { started_ms }] of this.rebuilds)
      if (started_ms < before_ms) this.rebuilds.delete(key);
  }
}
