import { IMPLAUSIBLE_LEASE_MS, type Lease, type PartitionLeases } from '../leases.js';

interface Partition {
  owner: string | null;
  token: number;
  expires_ms: number;
  position: number | null;
}

/** Leases in memory, for tests of several processes in one. */
export class MemoryPartitionLeases implements PartitionLeases {
  private readonly partitions = new Map<string, Partition>();

  async acquire(
    partition: string,
    owner: string,
    now_ms: number,
    expires_ms: number,
  ): Promise<Lease | null> {
    let known = this.partitions.get(partition);
    if (!known) {
      known = { owner: null, token: 0, expires_ms: 0, position: null };
      this.partitions.set(partition, known);
    }
    const is_held = known.owner !== null && isRunning(known, now_ms);
    if (is_held && known.owner !== owner) return null;
    if (is_held) known.expires_ms = expires_ms;
    else Object.assign(known, { owner, token: known.token + 1, expires_ms });
    return { partition, owner, token: known.token, expires_ms: known.expires_ms };
  }

  async renew(lease: Lease, expires_ms: number): Promise<Lease | null> {
    const known = this.held(lease);
    if (!known) return null;
    known.expires_ms = expires_ms;
    return { ...lease, expires_ms };
  }

  async release(lease: Lease): Promise<void> {
    const known = this.held(lease);
    if (known) known.owner = null;
  }

  async holders(now_ms: number): Promise<readonly Lease[]> {
    const held: Lease[] = [];
    for (const [partition, known] of this.partitions) {
      const { owner, token, expires_ms } = known;
      if (owner !== null && isRunning(known, now_ms))
        held.push({ partition, owner, token, expires_ms });
    }
    return held.toSorted((a, b) => (a.partition < b.partition ? -1 : 1));
  }

  async position(partition: string): Promise<number | null> {
    return this.partitions.get(partition)?.position ?? null;
  }

  async savePosition(lease: Lease, position: number): Promise<boolean> {
    const known = this.held(lease);
    if (!known) return false;
    known.position = position;
    return true;
  }

  private held({ partition, token }: Lease): Partition | undefined {
    const known = this.partitions.get(partition);
    return known?.owner !== null && known?.token === token ? known : undefined;
  }
}

function isRunning({ expires_ms }: Partition, now_ms: number): boolean {
  return expires_ms > now_ms && expires_ms <= now_ms + IMPLAUSIBLE_LEASE_MS;
}
