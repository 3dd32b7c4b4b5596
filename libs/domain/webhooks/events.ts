import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { WebhookEvent, WebhookFields } from './record.js';

export interface WebhookEvents {
  WebhookCreated: WebhookFields & {
    webhook_id: string;
    alt_index: string;
    event: WebhookEvent;
    secret: Sealed<string>;
    /** Absent in events from before creators were stored. */
    created_by?: string;
  };
  WebhookUpdated: { webhook_id: string } & Partial<WebhookFields>;
  /** From now on deliveries are signed with both secrets. */
  WebhookSecretRotated: {
    webhook_id: string;
    secret: Sealed<string>;
    previous_secret: Sealed<string>;
  };
  /** From now on its deliveries depend on another user's permissions. */
  WebhookTakenOver: { webhook_id: string; created_by: string };
  WebhookDeleted: { webhook_id: string };
  /** Its deliveries for a range of revisions were queued again. */
  WebhookReplayed: {
    webhook_id: string;
    from_revision: number;
    to_revision: number;
    /** Number of deliveries. */
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
