import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn } from '../relations/cascade.js';
import type { WebhookEvents } from './events.js';

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

  WebhookDeleted(state, { webhook_id }) {
    removeGrantsOn(state, webhook_id);
    state.webhooks.remove(webhook_id);
  },

  WebhookReplayed() {},
};
