import { changed, type Summaries } from '../foundation/summary-context.js';
import type { WebhookEvents } from './events.js';

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
