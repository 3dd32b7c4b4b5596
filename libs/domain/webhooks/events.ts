import type { EventSchemas } from '../kernel/event.js';
import type { Sealed } from '../kernel/sealed.js';
import type { WebhookEvent, WebhookFields } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeRecord } from '../relations/cascade.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

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

export const webhookEvolvers: Evolvers<WebhookEvents> = {
  WebhookCreated(state, { webhook_id, ...fields }, { timestamp_ms }) {
    state.webhooks.put({
      ...fields,
      id: webhook_id,
      previous_secret: '',
      created_by: fields.created_by ?? '',
      created_at: timestamp_ms,
    });
  },

  WebhookUpdated(state, { webhook_id, ...fields }) {
    const webhook = state.webhooks.get(webhook_id);
    if (webhook) state.webhooks.put({ ...webhook, ...fields });
  },

  WebhookSecretRotated(state, { webhook_id, secret, previous_secret }) {
    const webhook = state.webhooks.get(webhook_id);
    if (webhook) state.webhooks.put({ ...webhook, secret, previous_secret });
  },

  WebhookTakenOver(state, { webhook_id, created_by }) {
    const webhook = state.webhooks.get(webhook_id);
    if (webhook) state.webhooks.put({ ...webhook, created_by });
  },

  WebhookDeleted: (state, { webhook_id }) => removeRecord(state, state.webhooks, webhook_id),

  WebhookReplayed() {},
};

export const webhookSummaries: Summaries<WebhookEvents> = {
  WebhookCreated: ({ actor, name }, { webhook_id, event }) =>
    `${actor} made the webhook ${name(webhook_id)} for ${event}`,

  WebhookUpdated: (context, { webhook_id }) => changed(context, 'webhook', webhook_id),

  WebhookSecretRotated: ({ actor, name }, { webhook_id }) =>
    `${actor} gave the webhook ${name(webhook_id)} a new secret`,

  WebhookTakenOver: ({ actor, name }, { webhook_id }) =>
    `${actor} took over the webhook ${name(webhook_id)}`,

  WebhookDeleted: ({ actor, name }, { webhook_id }) =>
    `${actor} deleted the webhook ${name(webhook_id)}`,

  WebhookReplayed: ({ actor, name }, { webhook_id, from_revision, to_revision }) =>
    `${actor} had the webhook ${name(webhook_id)} sent revisions ${from_revision} to ${to_revision} again`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends WebhookEvents {}
}
