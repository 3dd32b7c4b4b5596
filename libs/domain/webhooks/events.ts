import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { WebhookEvent, WebhookFields } from './record.js';

export interface WebhookEvents {
  WebhookCreated: WebhookFields & {
    webhook_id: string;
    alt_index: string;
    event: WebhookEvent;
    secret: Sealed<string>;
    /** Absent in events of before makers were kept. */
    created_by?: string;
  };
  WebhookUpdated: { webhook_id: string } & Partial<WebhookFields>;
  /** Deliveries are signed with both secrets from now on. */
  WebhookSecretRotated: {
    webhook_id: string;
    secret: Sealed<string>;
    previous_secret: Sealed<string>;
  };
  /** Its deliveries rest on somebody else's rights from now on. */
  WebhookTakenOver: { webhook_id: string; created_by: string };
  WebhookDeleted: { webhook_id: string };
  /** What it was told, or would have been, of a range of revisions was queued once more. */
  WebhookReplayed: {
    webhook_id: string;
    from_revision: number;
    to_revision: number;
    /** Deliveries. */
    queued: number;
  };
}

export const webhookSchemas: EventSchemas<WebhookEvents> = {
  WebhookCreated: { version: 1, secret: ['signature', 'secret'] },
  WebhookUpdated: { version: 1, secret: ['signature'] },
  WebhookSecretRotated: { version: 1, secret: ['secret', 'previous_secret'] },
  WebhookTakenOver: { version: 1 },
  WebhookDeleted: { version: 1 },
  WebhookReplayed: { version: 1, about: 'webhook_id' },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends WebhookEvents {}
}
