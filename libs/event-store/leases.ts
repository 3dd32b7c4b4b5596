/** Port of what shares out work between processes: who may do which part of it, and how far it has come. */

/** A part of the work, held by one process for a time. */
export interface Lease {
  /** Names the part of the work. */
  readonly partition: string;
  readonly owner: string;
  /** Grows with every change of the holder, from 1: what carries a lower one is late. */
  readonly token: number;
  /** From then on others may take it, ms by the clock of whoever asks. */
  readonly expires_ms: number;
}

/**
 * Times come from the processes, whose clocks should agree to a small part of a lease. Leases only share out
 * work; what must not be done twice is guarded where it is done, or by the token.
 */
export interface PartitionLeases {
  /**
   * Takes a partition that nobody holds any more. Its holder gets it too, with the same token.
   * @returns null if another process holds it
   */
  acquire(
    partition: string,
    owner: string,
    now_ms: number,
    expires_ms: number,
  ): Promise<Lease | null>;
  /** Holds it longer, also after its end as long as nobody else took it. @returns null if it is lost */
  renew(lease: Lease, expires_ms: number): Promise<Lease | null>;
  /** Lets others take it at once; nothing happens if it is lost. */
  release(lease: Lease): Promise<void>;
  /** What is held at that time, in the order of partitions. */
  holders(now_ms: number): Promise<readonly Lease[]>;
  /** How far the work has come; null before anything was saved. It outlives leases. */
  position(partition: string): Promise<number | null>;
  /** Notes how far the work has come; an earlier position is ignored. @returns false if the lease is lost */
  savePosition(lease: Lease, position: number): Promise<boolean>;
}
