import type { DriveState } from '../../domain/foundation/state.js';
import { randomUUID } from 'node:crypto';
import type { Context, DomainSettings } from '../../domain/foundation/decision.js';
import { type Opener, Box, DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { uuid5 } from '../../domain/kernel/sha1.js';
import { exampleOf } from '../../domain/webhooks/occurring/examples.js';
import type { Match } from '../../domain/webhooks/occurring/matching.js';
import type { Occurrence } from '../../domain/webhooks/occurring/occurrences.js';
import type { Webhook } from '../../domain/webhooks/record.js';
import type { Delivery, JobStore, NewDelivery } from '../../event-store/stores.js';
import type { Keyring } from '../keys/keyring.js';

/** The stored part of a pending delivery; nonce and webhook are added when it is sent. */
interface KeptBody {
  readonly timestamp_ms: number;
  readonly payload: object;
  readonly notes?: string;
}

interface Cause {
  /** Unique text: the hash of the event if there is one, since a restored stream gives its revision to another event. */
  readonly key: string;
  /** Revision of the event; null if it has none. */
  readonly revision: number | null;
  readonly timestamp_ms: number;
  /** A note for the receiver. */
  readonly notes?: string;
}

/** The context for payloads: without a user, with secrets masked and without presence. */
export function nobodysContext(
  state: DriveState,
  now: number,
  open: Opener,
  settings: DomainSettings,
): Context {
  return {
    state,
    now,
    caller: { user_id: '', api_key_id: null, via: 'SYSTEM', key_expires_at: -1 },
    open,
    settings,
    lastOnline: () => 0,
    masked: true,
  };
}

export interface CausedMatch {
  readonly match: Match;
  readonly cause: Cause;
}

/**
 * The deliveries for matches. A body is sealed under the drive's key while it is pending; webhooks of one occurrence
 * share it, since there may be many.
 */
export function* deliveriesOf(
  drive_id: string,
  matches: Iterable<CausedMatch>,
  keyring: Keyring,
  queued_ms: number,
): Generator<NewDelivery> {
  let sealed_of: Occurrence | undefined;
  let sealed = '';
  for (const { match, cause } of matches) {
    const { webhook, occurrence, nth } = match;
    if (sealed_of !== occurrence) sealed = sealedBody(occurrence, cause, keyring);
    sealed_of = occurrence;
    const { event } = occurrence;
    const { key, revision } = cause;
    yield {
      drive_id,
      webhook_id: webhook.id,
      delivery_id: uuid5([webhook.id, key, event, ...(nth > 0 ? [nth] : [])].join(' ')),
      event,
      revision,
      sealed,
      queued_ms,
    };
  }
}

function sealedBody(
  { before, after }: Occurrence,
  { timestamp_ms, notes }: Cause,
  keyring: Keyring,
): string {
  const payload = { ...(before && { before }), ...(after && { after }) };
  const body: KeptBody = { timestamp_ms, payload, ...(notes && { notes }) };
  return keyring.seal(DRIVE_KEY_ID, { body: JSON.stringify(body) }).text;
}

/** Maximum deliveries, and bytes of their bodies, that are stored in one turn of the event loop. */
const MOST_STORED = 500;
const MOST_STORED_BYTES = 1024 ** 2;

/** Deliveries in parts that are stored one after another; at least one part. */
export function* partsOf(deliveries: Iterable<NewDelivery>): Generator<readonly NewDelivery[]> {
  let part: NewDelivery[] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    bytes += delivery.sealed.length;
    if (part.length > 0 && (part.length === MOST_STORED || bytes > MOST_STORED_BYTES)) {
      yield part;
      part = [];
      bytes = delivery.sealed.length;
    }
    part.push(delivery);
  }
  yield part;
}

/** Why a delivery is withheld. */
export const ERASED_MEANWHILE = 'somebody it speaks of was erased';
/** Pending deliveries per read. */
const PAGE = 100;

export async function* waitingIn(jobs: JobStore, drive_id: string): AsyncGenerator<Delivery, void> {
  let page: readonly Delivery[] = [];
  do {
    page = await jobs.waitingIn(drive_id, page.at(-1)?.nonce ?? 0, PAGE);
    yield* page;
  } while (page.length === PAGE);
}

/** The request of a delivery to its webhook in the webhook's current state. */
export function requestOf(
  delivery: Delivery,
  webhook: Webhook,
  open: Opener,
  timestamp_ms: number,
): WebhookRequest {
  const kept = JSON.parse(textOf(delivery, open)) as KeptBody;
  return requestWith(delivery, kept, webhook, open, timestamp_ms);
}

/** An example delivery, marked as a test. Its nonce is 0, below that of any delivery. */
export function testRequestOf(
  webhook: Webhook,
  open: Opener,
  timestamp_ms: number,
): WebhookRequest {
  const { event } = webhook;
  const notes = 'Test on request: nothing happened, and all of the payload is made up';
  const body: KeptBody = { timestamp_ms, payload: exampleOf(event, timestamp_ms), notes };
  const test = { event, nonce: 0, delivery_id: randomUUID() };
  return requestWith(test, body, webhook, open, timestamp_ms);
}

function requestWith(
  { event, nonce, delivery_id }: Pick<Delivery, 'event' | 'nonce' | 'delivery_id'>,
  kept: KeptBody,
  webhook: Webhook,
  open: Opener,
  timestamp_ms: number,
): WebhookRequest {
  const body = JSON.stringify({
    event,
    timestamp_ms: kept.timestamp_ms,
    nonce,
    webhook_id: webhook.id,
    webhook_alt_index: webhook.alt_index,
    payload: kept.payload,
    ...(kept.notes && { notes: kept.notes }),
  });
  const secrets = [
    open(webhook.secret, 'secret'),
    open(webhook.previous_secret, 'previous_secret'),
  ];
  return {
    url: webhook.url,
    delivery_id,
    timestamp_ms,
    secrets: secrets.filter((secret) => secret !== ''),
    signature: open(webhook.signature, 'signature'),
    body,
  };
}

export function textOf({ sealed }: Delivery, open: Opener): string {
  return open<string>(new Box(DRIVE_KEY_ID, sealed), 'body');
}

/** One attempt of a delivery. */
export interface WebhookRequest {
  readonly url: string;
  /** The header `webhook-id`, the same on every attempt. */
  readonly delivery_id: string;
  /** Time of the attempt, ms; the header `webhook-timestamp`. */
  readonly timestamp_ms: number;
  /** Newest first; each gives one signature. */
  readonly secrets: readonly string[];
  /** The header `signature`; `''` for none. */
  readonly signature: string;
  /** JSON. */
  readonly body: string;
}

export interface WebhookResponse {
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** Cause of a missing answer, in a few words without addresses; null if there was one. */
  readonly reason: string | null;
}

/** Sends to a webhook's address. Never rejects: every failure is a response. */
export interface WebhookSender {
  /** @param signal ends the attempt early */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
}
