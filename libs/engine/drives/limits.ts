/** Bounds of the engine; every one is configurable. */
export interface EngineLimits {
  /** Maximum commands decided and appended together. */
  readonly batch_max_commands: number;
  /** Maximum bytes of event bodies and metadata in one append. */
  readonly batch_max_bytes: number;
  /** Maximum records of an organization; a command that adds records beyond it is refused. */
  readonly organization_records_max: number;
  /** Maximum bytes of the results of one transaction, as JSON. */
  readonly transaction_answer_bytes: number;
  /** Maximum queued commands of a drive; further ones are refused. */
  readonly queue_max_commands: number;
  /** Maximum wait of a query for a batch in flight, ms. */
  readonly read_wait_ms: number;
  /**
   * Maximum wait, ms: of a query until the read model shows what this process has acknowledged, and of a command for
   * a lagging read model that other processes write.
   */
  readonly projection_wait_ms: number;
  /** Maximum lag, in events, of a read model that other processes write; beyond it commands wait. */
  readonly read_model_lag_events: number;
  /** How long an append of unknown outcome is repeated, ms. */
  readonly append_deadline_ms: number;
  /** Minimum number of decisions after conflicts with other processes, */
  readonly conflict_retries: number;
  /** and the minimum time, ms. */
  readonly conflict_wait_ms: number;
  /** Budget for the states of active drives, bytes (estimated). */
  readonly state_cache_bytes: number;
  /** Budget for cached past states, bytes (estimated). */
  readonly past_cache_bytes: number;
  /** Events after which a snapshot is always due. */
  readonly snapshot_every_events: number;
  /** Events after which a snapshot is due unless the state is large: see `isSnapshotDue`. */
  readonly snapshot_after_events: number;
  /** Budget for the snapshots of one drive, bytes. */
  readonly snapshot_disk_bytes: number;
  /** Maximum drives loaded from the store in parallel. */
  readonly cold_loads_max: number;
}

export const DEFAULT_LIMITS: EngineLimits = {
  batch_max_commands: 256,
  batch_max_bytes: 512 * 1024,
  organization_records_max: 2_000_000,
  transaction_answer_bytes: 8 * 1024 ** 2,
  queue_max_commands: 10_000,
  read_wait_ms: 2_000,
  projection_wait_ms: 5_000,
  read_model_lag_events: 10_000,
  append_deadline_ms: 10_000,
  conflict_retries: 5,
  conflict_wait_ms: 1_500,
  state_cache_bytes: 1024 ** 3,
  past_cache_bytes: 256 * 1024 ** 2,
  snapshot_every_events: 25_000,
  snapshot_after_events: 5_000,
  snapshot_disk_bytes: 10 * 1024 ** 3,
  cold_loads_max: 4,
};
