/** Bounds of webhooks; every one has its default here. */
export interface WebhookLimits {
  /** Most that waits for one webhook; what comes on top is quarantined. */
  readonly queue_max_count: number;
  readonly queue_max_bytes: number;
  /** Most deliveries under way at one time, each to another webhook. */
  readonly parallel_max: number;
  /** Most tests of one drive's webhooks under way at one time; over all drives `parallel_max`. */
  readonly tests_per_drive: number;
  /** How long one process has a webhook's turn, ms: longer than any attempt takes. */
  readonly claim_ms: number;
  /** Wait after the first failed attempt, ms; it doubles from there, with jitter. */
  readonly first_retry_ms: number;
  readonly longest_retry_ms: number;
  /** How long after its first attempt a delivery is given up, ms. */
  readonly give_up_ms: number;
  /** How long attempts are remembered, ms, and how many of one webhook. */
  readonly log_ms: number;
  readonly log_max_count: number;
  /** Memory for the states that reactors fold, bytes (estimated); one is always kept. */
  readonly states_bytes: number;
  /** Drives whose events are looked at at one time. */
  readonly drives_at_once: number;
  /** A reactor without webhooks is forgotten so long after it was opened, ms. */
  readonly close_after_ms: number;
  /** How long what is under way may go on when the process stops, ms. */
  readonly close_grace_ms: number;
  /** Most events that one call may have sent again. */
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
  // Longer than any append may take, so that none whose webhook is on its way finds its reactor gone.
  close_after_ms: 10 * 60_000,
  close_grace_ms: 3_000,
  replay_max_events: 10_000,
};
