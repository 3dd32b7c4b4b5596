import type { Expiry, ExpiryStore } from '../stores.js';

const inOrder = (a: Expiry, b: Expiry): number =>
  a.at_ms - b.at_ms || (a.drive_id < b.drive_id ? -1 : Number(a.drive_id > b.drive_id));

/** Expiries in memory, for tests. */
export class MemoryExpiryStore implements ExpiryStore {
  private readonly expiries = new Map<string, Expiry>();
  private is_complete = false;

  async note(expiries: readonly Expiry[]): Promise<void> {
    for (const noted of expiries) {
      const known = this.expiries.get(noted.drive_id) ?? noted;
      this.expiries.set(noted.drive_id, {
        drive_id: noted.drive_id,
        at_ms: Math.min(known.at_ms, noted.at_ms),
        revision: Math.max(known.revision, noted.revision),
        noted_ms: Math.max(known.noted_ms, noted.noted_ms),
      });
    }
  }

  async due(now_ms: number, limit: number, after?: Expiry): Promise<readonly Expiry[]> {
    return [...this.expiries.values()]
      .filter((expiry) => expiry.at_ms <= now_ms && (!after || inOrder(after, expiry) < 0))
      .toSorted(inOrder)
      .slice(0, limit);
  }

  async advance(seen: Expiry, at_ms: number | null): Promise<boolean> {
    const known = this.expiries.get(seen.drive_id);
    if (!known || known.at_ms !== seen.at_ms) return false;
    if (known.revision !== seen.revision || known.noted_ms !== seen.noted_ms) return false;
    if (at_ms === null) this.expiries.delete(seen.drive_id);
    else this.expiries.set(seen.drive_id, { ...known, at_ms });
    return true;
  }

  async isComplete(): Promise<boolean> {
    return this.is_complete;
  }

  async complete(): Promise<void> {
    this.is_complete = true;
  }
}
