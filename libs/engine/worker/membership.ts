import type { Lease, PartitionLeases } from '../../event-store/leases.js';

const MOST_WORKERS = 256;
const WORKER = 'worker-';

/**
 * Registers this process with the other workers, and counts them: each holds its own lease for as long as it lives.
 */
export class Membership {
  private own: Lease | null = null;

  constructor(
    private readonly leases: PartitionLeases,
    private readonly owner: string,
  ) {}

  /** Renews the membership, and returns all leases. */
  async stay(now: number, expires_ms: number): Promise<readonly Lease[]> {
    if (this.own) this.own = await this.leases.renew(this.own, expires_ms);
    const holders = await this.leases.holders(now);
    if (this.own) return holders;
    const taken = new Set(holders.map(({ partition }) => partition));
    for (let place = 0; place < MOST_WORKERS && !this.own; place++) {
      const name = WORKER + place;
      if (!taken.has(name)) this.own = await this.leases.acquire(name, this.owner, now, expires_ms);
    }
    return this.leases.holders(now);
  }

  async leave(): Promise<void> {
    if (this.own) await this.leases.release(this.own);
    this.own = null;
  }
}

export function workersAmong(holders: readonly Lease[]): number {
  return holders.filter(({ partition }) => partition.startsWith(WORKER)).length;
}
