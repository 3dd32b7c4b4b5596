/** Bounds of the engine; most of them are settings (`apps/api/engine-settings.ts`). */
export const DEFAULT_LIMITS = {
  /** Maximum commands decided and appended together. */
  batch_max_commands: 256,
  /** Changed or visited records of a batch after which other work has a turn before the next command. */
  batch_work: 10_000,
  /** Changed or visited records after which no further command of the same append, transaction or dry run is decided. */
  append_max_work: 50_000,
  /** Maximum bytes of event bodies and metadata in one append. */
  batch_max_bytes: 512 * 1024,
  /** Maximum records of an organization; a command that adds records beyond it is refused. */
  organization_records_max: 2_000_000,
  /** Maximum bytes of the results of one transaction, as JSON. */
  transaction_answer_bytes: 8 * 1024 ** 2,
  /** Maximum queued commands of a drive; further ones are refused. */
  queue_max_commands: 10_000,
  /** Maximum wait of a query for a batch in flight, ms. */
  read_wait_ms: 2_000,
  /**
   * Maximum wait, ms: of a query until the read model shows what this process has acknowledged, and of a command for
   * a lagging read model that other processes write.
   */
  projection_wait_ms: 5_000,
  /** Maximum lag, in events, of a read model that other processes write; beyond it commands wait. */
  read_model_lag_events: 10_000,
  /** How long an append of unknown outcome is repeated, ms. */
  append_deadline_ms: 10_000,
  /** Minimum number of decisions after conflicts with other processes, */
  conflict_retries: 5,
  /** and the minimum time, ms. */
  conflict_wait_ms: 1_500,
  /** Budget for the states of active drives, bytes (estimated). */
  state_cache_bytes: 1024 ** 3,
  /** Budget for cached past states, bytes (estimated). */
  past_cache_bytes: 256 * 1024 ** 2,
  /** Events after which a snapshot is always due. */
  snapshot_every_events: 100_000,
  /** Events after which a snapshot is due unless the state is large: see `isSnapshotDue`. */
  snapshot_after_events: 5_000,
  /** Budget for the snapshots of one drive, bytes. */
  snapshot_disk_bytes: 10 * 1024 ** 3,
  /** Maximum drives loaded from the store in parallel. */
  cold_loads_max: 4,
};

export type EngineLimits = Readonly<typeof DEFAULT_LIMITS>;
