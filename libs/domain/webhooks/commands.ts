import type { Opened } from '../kernel/sealed.js';
import type { WebhookEvent, WebhookFields } from './record.js';

/** Absent fields are empty; a name that is absent or empty becomes `<event>@<alt_index>`. */
export interface CreateWebhook extends Partial<Opened<WebhookFields>> {
  id?: string;
  url: string;
  alt_index: string;
  event: WebhookEvent;
  fresh: { webhook_id: string; secret: string };
}

export interface UpdateWebhook extends Partial<Opened<WebhookFields>> {
  id: string;
  rotate_secret?: boolean;
  /** Makes the caller the user on whose permissions deliveries depend. */
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
  /** Number of queued deliveries. */
  queued: number;
}
