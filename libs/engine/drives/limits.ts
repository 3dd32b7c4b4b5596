/** Bounds of the engine; every one is configurable. */
export interface EngineLimits {
  /** Most commands decided and appended together. */
  readonly batch_max_commands: number;
  /** Most bytes of event bodies and metadata in one append. */
  readonly batch_max_bytes: number;
  /** Most records of an organization; a command that adds records beyond it is refused. */
  readonly organization_records_max: number;
  /** Most bytes of the results of one transaction, as JSON. */
  readonly transaction_answer_bytes: number;
  /** Most commands waiting for one drive; the next is turned away. */
  readonly queue_max_commands: number;
  /** How long a query waits for a batch in flight, ms. */
  readonly read_wait_ms: number;
  /**
   * How long a query waits for the read model to show what this process has acknowledged, and a command for one
   * of others that lacks too much, ms.
   */
  readonly projection_wait_ms: number;
  /** Events that a read model of others may lack before commands wait for it. */
  readonly read_model_lag_events: number;
  /** How long an append of unknown outcome is repeated, ms. */
  readonly append_deadline_ms: number;
  /** How often at least a command is decided again after another process was first. */
  readonly conflict_retries: number;
  /** How long at least, ms. */
  readonly conflict_wait_ms: number;
  /** Budget for the states of active drives, bytes (estimated). */
  readonly state_cache_bytes: number;
  /** Budget for the states of the past that are kept for the next question, bytes (estimated). */
  readonly past_cache_bytes: number;
  /** Events after which a snapshot is always due. */
  readonly snapshot_every_events: number;
  /** Events after which one is due unless the state is large: see `isSnapshotDue`. */
  readonly snapshot_after_events: number;
  /** Budget for the snapshots of one drive, bytes. */
  readonly snapshot_disk_bytes: number;
  /** Most drives loaded from the store at one time. */
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
