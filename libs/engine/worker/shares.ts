import type { Lease, PartitionLeases } from '../../event-store/leases.js';
import { createHash } from 'node:crypto';

/** Maximum workers of an installation. */
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

/** Number of workers. */
export function workersAmong(holders: readonly Lease[]): number {
  return holders.filter(({ partition }) => partition.startsWith(WORKER)).length;
}

/** Divides the drives into partitions, the same ones in every process. */
export class Partitions {
  /** @param form format of the read model */
  constructor(
    readonly count: number,
    private readonly form = '',
  ) {}

  /** Index of a drive's partition. */
  placeOf(drive_id: string): number {
    return createHash('sha256').update(drive_id).digest().readUInt32BE(0) % this.count;
  }

  /**
   * Name of the partition at an index. The name contains the number of partitions and the format of the read model,
   * so that their positions are separate.
   */
  nameOf(place: number): string {
    const name = `drives-${this.count}-${String(place).padStart(4, '0')}`;
    return this.form === '' ? name : `${name} ${this.form}`;
  }
}
