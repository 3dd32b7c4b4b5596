import { LONGEST_WAIT_MS, type QueueBounds } from '../../event-store/stores.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Bounds of webhooks; every one has its default here. */
export const DEFAULT_WEBHOOK_LIMITS = {
  /** Maximum pending deliveries of a webhook; further ones are quarantined. */
  queue_max_count: 10_000,
  queue_max_bytes: 64 * 1024 * 1024,
  /** The same of all webhooks of a drive: each has an equal share. */
  drive_queue_max_bytes: 1024 ** 3,
  /** Maximum views of a drive that wait to be queued; further ones are not reported to webhooks. */
  drive_notices_max: 1_000,
  /**
   * Maximum deliveries in progress, each to another webhook. While others wait, a drive has a quarter of them, and all
   * drives with slow receivers have three quarters.
   */
  parallel_max: 32,
  /** Time of an attempt from which on its receiver is slow, and how long its drive has slow receivers then, ms. */
  slow_ms: 1_000,
  slow_for_ms: 60_000,
  /** Maximum tests in progress for one drive; over all drives `parallel_max`. */
  tests_per_drive: 4,
  /** How long a process holds a webhook's turn, ms: longer than any attempt. */
  claim_ms: 60_000,
  /** Pause after the first failed attempt, ms; it doubles from there, with jitter. */
  first_retry_ms: 5_000,
  longest_retry_ms: LONGEST_WAIT_MS,
  /** Time after its first attempt at which a delivery is quarantined, ms. */
  give_up_ms: DAY_MS,
  /** How long attempts are kept, ms, and how many per webhook. */
  log_ms: 30 * DAY_MS,
  log_max_count: 100_000,
  /** Memory for the states that reactors fold, bytes (estimated); one is always kept. */
  states_bytes: 256 * 1024 * 1024,
  /** Drives whose events are processed in parallel. */
  drives_at_once: 2,
  /** Time after which a reactor without webhooks is closed, ms. */
  // Longer than any append, so that the reactor still exists when the event of its webhook is stored.
  close_after_ms: 10 * 60_000,
  /** Maximum wait for deliveries in progress at shutdown, ms. */
  close_grace_ms: 3_000,
  /** Maximum events that one call may send again. */
  replay_max_events: 10_000,
};

export type WebhookLimits = Readonly<typeof DEFAULT_WEBHOOK_LIMITS>;

/** The bounds of the queue of one webhook of a drive with so many webhooks. */
export function queueBounds(limits: WebhookLimits, webhooks: number): QueueBounds {
  const { queue_max_count: count, queue_max_bytes, drive_queue_max_bytes } = limits;
  const share = Math.floor(drive_queue_max_bytes / Math.max(1, webhooks));
  return { count, bytes: Math.min(queue_max_bytes, share) };
}
