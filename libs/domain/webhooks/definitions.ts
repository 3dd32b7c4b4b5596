import type { CommandDefinition, Context, GeneratingCommand } from '../foundation/decision.js';
import { WEBHOOK_ID } from './record.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf, MASKED } from '../kernel/fields.js';
import type { CreateWebhook, DeleteWebhook, ReplayWebhook, UpdateWebhook } from './commands.js';
import { createWebhook, deleteWebhook, replayWebhook, updateWebhook } from './decide.js';
import { presentWebhook, type WebhookView } from './view.js';

export const webhookCommands = {
  CreateWebhook: {
    name: 'CreateWebhook',
    decide: createWebhook,
    generate: (fresh) => ({ webhook_id: fresh.id(WEBHOOK_ID), secret: fresh.webhookSecret() }),
    answer(context, { fresh }, events) {
      const { webhook_id } = bodyOf(events, 'WebhookCreated')!;
      return withSecret(context, webhook_id, fresh.secret);
    },
  } satisfies GeneratingCommand<CreateWebhook, WebhookView>,

  UpdateWebhook: {
    name: 'UpdateWebhook',
    decide: updateWebhook,
    generate: (fresh) => ({ secret: fresh.webhookSecret() }),
    answer: (context, { id, rotate_secret, fresh }) =>
      withSecret(context, id, rotate_secret ? fresh.secret : ''),
  } satisfies GeneratingCommand<UpdateWebhook, WebhookView>,

  DeleteWebhook: deletion<DeleteWebhook>('DeleteWebhook', deleteWebhook),

  ReplayWebhook: {
    name: 'ReplayWebhook',
    decide: replayWebhook,
    answer(_, { id }, events) {
      const { from_revision, to_revision, queued } = bodyOf(events, 'WebhookReplayed')!;
      return { id, from_revision, to_revision, queued };
    },
  } satisfies CommandDefinition<ReplayWebhook, ReplayWebhook>,
};

/** Only the answer to the command that created a secret shows it. */
function withSecret(context: Context, webhook_id: string, secret: string): WebhookView {
  const view = presentWebhook(context, context.state.webhooks.get(webhook_id)!);
  return { ...view, secret: secret && context.masked ? MASKED : secret };
}
