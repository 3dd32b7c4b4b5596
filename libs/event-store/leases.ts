/** Port for dividing work between processes: leases on partitions, and their positions. */

/** A partition held by one process for a time. */
export interface Lease {
  readonly partition: string;
  readonly owner: string;
  /** Increases with every change of the holder, from 1: a lower one is outdated. */
  readonly token: number;
  /** End of the lease, ms by the clock of the process that checks it. */
  readonly expires_ms: number;
}

/** A lease that ends later than this from now is free, ms: it was taken by a clock that was ahead. */
export const IMPLAUSIBLE_LEASE_MS = 1_200_000;

/**
 * Times come from the processes, whose clocks should agree to a small part of a lease. Leases only divide work;
 * operations that must not run twice are guarded themselves, or by the token.
 */
export interface PartitionLeases {
  /**
   * Takes a free or expired partition. Its holder extends it, with the same token.
   * @returns null if another process holds it
   */
  acquire(
    partition: string,
    owner: string,
    now_ms: number,
    expires_ms: number,
  ): Promise<Lease | null>;
  /** Sets the end of the lease, also after its end if no other process took it. @returns null if it is lost */
  renew(lease: Lease, expires_ms: number): Promise<Lease | null>;
  /** Frees the partition at once; no effect if the lease is lost. */
  release(lease: Lease): Promise<void>;
  /** The leases at that time, in the order of partitions. */
  holders(now_ms: number): Promise<readonly Lease[]>;
  /** Position of the partition's work; null before the first save. It outlives leases. */
  position(partition: string): Promise<number | null>;
  /** Saves the position, also an earlier one. @returns false if the lease is lost */
  savePosition(lease: Lease, position: number): Promise<boolean>;
}

/** Port of counts in fixed time windows, shared by all processes of a store, for rate limits and nonces. */
export interface WindowCounts {
  /** Counts one for a key, or several; its window begins with the first count. */
  add(key: string, count?: number): Promise<WindowCount>;
}

export interface WindowCount {
  /** Count in this window, including this one. */
  readonly count: number;
  /** Time until the window ends, ms. */
  readonly rest_ms: number;
}
