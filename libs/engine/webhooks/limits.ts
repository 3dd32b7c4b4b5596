/** Bounds of webhooks; every one has its default here. */
export interface WebhookLimits {
  /** Maximum pending deliveries of a webhook; further ones are quarantined. */
  readonly queue_max_count: number;
  readonly queue_max_bytes: number;
  /** Maximum deliveries in progress, each to another webhook. */
  readonly parallel_max: number;
  /** Maximum tests in progress for one drive; over all drives `parallel_max`. */
  readonly tests_per_drive: number;
  /** How long a process holds a webhook's turn, ms: longer than any attempt. */
  readonly claim_ms: number;
  /** Pause after the first failed attempt, ms; it doubles from there, with jitter. */
  readonly first_retry_ms: number;
  readonly longest_retry_ms: number;
  /** Time after its first attempt at which a delivery is quarantined, ms. */
  readonly give_up_ms: number;
  /** How long attempts are kept, ms, and how many per webhook. */
  readonly log_ms: number;
  readonly log_max_count: number;
  /** Memory for the states that reactors fold, bytes (estimated); one is always kept. */
  readonly states_bytes: number;
  /** Drives whose events are processed in parallel. */
  readonly drives_at_once: number;
  /** Time after which a reactor without webhooks is closed, ms. */
  readonly close_after_ms: number;
  /** Maximum wait for deliveries in progress at shutdown, ms. */
  readonly close_grace_ms: number;
  /** Maximum events that one call may send again. */
  readonly replay_max_events: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const DEFAULT_WEBHOOK_LIMITS: WebhookLimits = {
  queue_max_count: 10_000,
  queue_max_bytes: 64 * 1024 * 1024,
  parallel_max: 32,
  tests_per_drive: 4,
  claim_ms: 60_000,
  first_retry_ms: 5_000,
  longest_retry_ms: HOUR_MS,
  give_up_ms: DAY_MS,
  log_ms: 30 * DAY_MS,
  log_max_count: 100_000,
  states_bytes: 256 * 1024 * 1024,
  drives_at_once: 2,
  // Longer than any append, so that the reactor still exists when the event of its webhook is stored.
  close_after_ms: 10 * 60_000,
  close_grace_ms: 3_000,
  replay_max_events: 10_000,
};
