import type { WebhookEvent } from './record.js';

interface WebhookSettings {
  url: string;
  signature: string;
  description: string;
  note: string;
  active: boolean;
  /** JSON text of an object; `''` for none. */
  filters: string;
  external_id: string | null;
  external_payload: string | null;
}

/** Absent fields are empty; a name that is absent or empty becomes `<event>@<alt_index>`. */
export interface CreateWebhook extends Partial<WebhookSettings> {
  id?: string;
  name?: string;
  url: string;
  alt_index: string;
  event: WebhookEvent;
  fresh: { webhook_id: string; secret: string };
}

export interface UpdateWebhook extends Partial<WebhookSettings> {
  id: string;
  name?: string;
  rotate_secret?: boolean;
  /** Makes the caller the one on whose rights deliveries rest. */
  take_over?: boolean;
  fresh: { secret: string };
}

export interface DeleteWebhook {
  id: string;
}

export interface ReplayWebhook {
  id: string;
  from_revision: number;
  to_revision: number;
  /** Deliveries that were put in the queue. */
  queued: number;
}
