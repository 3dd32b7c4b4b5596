import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { type Webhook, WEBHOOK_ID } from './record.js';
import { presentWebhook, type WebhookView } from './view.js';

export const webhookReads: ReadDefinition<Webhook, WebhookView> = {
  family: 'webhooks',
  not_found: 'webhook-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, webhook) => Access.of(context).can('VIEW', webhook.id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_WEBHOOKS')) return 'all';
    return [{ field: 'id', among: recordsHeld(access, 'VIEW', WEBHOOK_ID) }];
  },
  present: presentWebhook,
  filter_text: (webhook) => lines(webhook.name, webhook.event, webhook.alt_index),
};
