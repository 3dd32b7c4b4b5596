/** One attempt to deliver, as far as sending it goes. */
export interface WebhookRequest {
  readonly url: string;
  /** The header `webhook-id`, equal on every attempt. */
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
  /** Why there was none, in a few words that name no address; null if there was one. */
  readonly reason: string | null;
}

/** Sends to a webhook's address. Never rejects: whatever goes wrong is a response. */
export interface WebhookSender {
  /** @param signal ends the attempt early */
  send(request: WebhookRequest, signal: AbortSignal): Promise<WebhookResponse>;
}
