/**
 * The role of a process among those on the same stores. Every difference between modes of operation follows from it
 * and from `ReadModel.durable`, which says whether the documents outlive the process.
 */
export interface ProcessRole {
  /**
   * The event store is on a server, so it may contain events that this process did not append or whose append it does
   * not know to have succeeded. The process subscribes to the store and reads on before it refuses.
   */
  readonly follows: boolean;
  /** No other process uses the same stores: no turns between writers, no exchange of presence, no leases. */
  readonly sole: boolean;
  /** This process writes the derived stores: read model, snapshots, tiles, event index. */
  readonly maintains: boolean;
  /**
   * The drives whose background work (webhooks, expiry) this process does: of 'partitions', those that its worker
   * holds, which it also follows while they are not in memory.
   */
  readonly background: 'all' | 'partitions' | 'none';
}

export const ROLES = {
  /** Embedded stores, which no other process can open for writing. */
  embedded: { follows: false, sole: true, maintains: true, background: 'all' },
  /** Events on a server, all else in a folder of this process. */
  single: { follows: true, sole: true, maintains: true, background: 'all' },
  /** Answers requests on stores that are all on servers; workers do the rest. */
  replica: { follows: true, sole: false, maintains: false, background: 'none' },
  /** The same with the read model in the memory of each process. */
  indexing_replica: { follows: true, sole: false, maintains: true, background: 'none' },
  /** Does the work of its partitions for the replicas. */
  worker: { follows: true, sole: false, maintains: true, background: 'partitions' },
} as const satisfies Record<string, ProcessRole>;
