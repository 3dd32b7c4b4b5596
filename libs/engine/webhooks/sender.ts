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
