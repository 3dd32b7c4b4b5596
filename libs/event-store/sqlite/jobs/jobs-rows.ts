import type { Attempt, AttemptOutcome, Delivery, OpenReactor } from '../../jobs.js';
import type { Row } from '../files/database.js';

/** Columns in the order in which the functions below read them. */
export const REACTOR = 'drive_id, revision, event_hash, opened_ms, quarantined';
export const DELIVERY =
  'drive_id, webhook_id, delivery_id, event, revision, sealed, queued_ms, nonce, attempts, first_ms';
export const ATTEMPT =
  'id, delivery_id, event, revision, nonce, attempt, at_ms, status, latency_ms, outcome, reason';

export function reactorOf([
  drive_id,
  revision,
  event_hash,
  opened_ms,
  quarantined,
]: Row): OpenReactor {
  return {
    drive_id: drive_id as string,
    revision: revision as number,
    event_hash: event_hash as Uint8Array,
    opened_ms: opened_ms as number,
    quarantined: quarantined as string | null,
  };
}

export function deliveryOf(row: Row): Delivery {
  const [drive_id, webhook_id, delivery_id, event, revision, sealed] = row;
  const [queued_ms, nonce, attempts, first_ms] = row.slice(6);
  return {
    drive_id: drive_id as string,
    webhook_id: webhook_id as string,
    delivery_id: delivery_id as string,
    event: event as string,
    revision: revision as number | null,
    sealed: sealed as string,
    queued_ms: queued_ms as number,
    nonce: nonce as number,
    attempts: attempts as number,
    first_ms: first_ms as number | null,
  };
}

export function attemptOf(row: Row): Attempt {
  const [id, delivery_id, event, revision, nonce, attempt] = row;
  const [at_ms, status, latency_ms, outcome, reason] = row.slice(6);
  return {
    id: id as number,
    delivery_id: delivery_id as string,
    event: event as string,
    revision: revision as number | null,
    nonce: nonce as number | null,
    attempt: attempt as number,
    at_ms: at_ms as number,
    status: status as number | null,
    latency_ms: latency_ms as number,
    outcome: outcome as AttemptOutcome,
    reason: reason as string | null,
  };
}
