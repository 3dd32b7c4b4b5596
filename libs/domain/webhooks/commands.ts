import { type Webhook, WEBHOOK_DEFAULTS, WEBHOOK_ID, type WebhookEvent } from './record.js';
import { type DomainEvent, event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { Access, together } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { bodyOf, type Changes, changes, cut, filled, isEmpty, MASKED } from '../kernel/fields.js';
import { parseJsonObject } from '../kernel/json-object.js';
import { type Refusal, refuse, refuseField, refuseIdInUse } from '../kernel/refusal.js';
import { creatorOf, pausedReason } from './occurring/creators.js';
import { watchedBy } from './occurring/targets.js';
import { mayWatch } from './occurring/watching.js';
import { deletion } from '../foundation/record-answers.js';
import { presentWebhook, type WebhookView } from './reads.js';

/** Absent fields are empty; a name that is absent or empty becomes `<event>@<alt_index>`. */
export interface CreateWebhook extends Partial<typeof WEBHOOK_DEFAULTS> {
  id?: string;
  name?: string;
  url: string;
  alt_index: string;
  event: WebhookEvent;
  fresh: { webhook_id: string; secret: string };
}

export interface UpdateWebhook extends Changes<typeof WEBHOOK_DEFAULTS> {
  id: string;
  name?: string;
  url?: string;
  rotate_secret?: boolean;
  /** Makes the caller the user on whose permissions deliveries depend. */
  take_over?: boolean;
  fresh: { secret: string };
}

export interface ReplayWebhook {
  id: string;
  from_revision: number;
  to_revision: number;
  queued: number;
}

const LONGEST_NAME = 256;

/** Maximum webhooks of one drive: each may match every event. */
export const MOST_WEBHOOKS = 1000;

export const createWebhook: Decider<CreateWebhook> = (context, command) => {
  const { state } = context;
  const { fresh, event: kind } = command;
  const alt_index = watchedBy(kind, command.alt_index);
  if (typeof alt_index !== 'string') return alt_index;
  const invalid = refuseFilters(command.filters);
  if (invalid) return invalid;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_WEBHOOKS');
  if (!allowed) return access.denied();
  const watcher = Access.of(context);
  const watching = mayWatch(watcher, { event: kind, alt_index });
  if (!watching) return watcher.denied();
  if (command.id && state.isUsed(state.webhooks, command.id)) return refuseIdInUse();
  if (state.webhooks.size >= MOST_WEBHOOKS) return refuse('too-many-webhooks');
  return accept(
    together(allowed, watching),
    event('WebhookCreated', {
      webhook_id: command.id ?? fresh.webhook_id,
      event: kind,
      alt_index,
      secret: fresh.secret,
      name: command.name || cut(`${kind}@${alt_index}`, LONGEST_NAME),
      created_by: context.caller.user_id,
      url: command.url,
      ...filled(WEBHOOK_DEFAULTS, command),
    }),
  );
};

export const updateWebhook: Decider<UpdateWebhook> = (context, command) => {
  const fields = changes(WEBHOOK_DEFAULTS, command, 'name', 'url');
  const { rotate_secret, take_over } = command;
  if (isEmpty(fields) && !rotate_secret && !take_over) return refuse('nothing-to-update');
  const invalid = refuseFilters(command.filters);
  if (invalid) return invalid;
  const webhook = context.state.webhooks.get(command.id);
  if (!webhook) return refuse('webhook-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('EDIT', webhook.id);
  if (!allowed) return access.denied();
  const { url = webhook.url, active = webhook.active } = fields;
  const redirects = url !== webhook.url || active !== webhook.active;
  const watcher = Access.of(context);
  const watching = redirects || take_over ? mayWatch(watcher, webhook) : [];
  if (!watching) return watcher.denied();
  const webhook_id = webhook.id;
  const events: DomainEvent[] = [];
  if (!isEmpty(fields)) events.push(event('WebhookUpdated', { webhook_id, ...fields }));
  const created_by = context.caller.user_id;
  if (take_over && created_by !== creatorOf(context.state, webhook))
    events.push(event('WebhookTakenOver', { webhook_id, created_by }));
  if (rotate_secret)
    events.push(
      event('WebhookSecretRotated', {
        webhook_id,
        secret: command.fresh.secret,
        previous_secret: context.open(webhook.secret, 'secret'),
      }),
    );
  return accept(together(allowed, watching), ...events);
};

export const deleteWebhook: Decider<ById> = (context, command) => {
  const webhook = context.state.webhooks.get(command.id);
  if (!webhook) return refuse('webhook-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', webhook.id);
  if (!allowed) return access.denied();
  return accept(allowed, event('WebhookDeleted', { webhook_id: webhook.id }));
};

function refuseFilters(filters: string | null | undefined): Refusal | null {
  if (!filters || parseJsonObject(filters)) return null;
  return refuseField('/filters', 'must be the text of a JSON object');
}

/** The webhook for a test delivery, active or not. */
export function webhookToTest(context: Context, id: string): Webhook | Refusal {
  const webhook = context.state.webhooks.get(id);
  if (!webhook) return refuse('webhook-not-found');
  const access = Access.of(context);
  if (!access.can('EDIT', webhook.id)) return access.denied();
  return pausedReason(context, webhook) ? refuse('webhook-paused') : webhook;
}

/** The caller of the command queues the deliveries; the decision only authorizes it. */
export const replayWebhook: Decider<ReplayWebhook> = (context, { id, ...range }) => {
  const webhook = context.state.webhooks.get(id);
  if (!webhook) return refuse('webhook-not-found');
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('EDIT', webhook.id);
  if (!allowed) return access.denied();
  if (!webhook.active) return refuse('webhook-inactive');
  if (pausedReason(context, webhook)) return refuse('webhook-paused');
  return accept(allowed, event('WebhookReplayed', { webhook_id: id, ...range }));
};

export const webhookCommands = namedCommands({
  CreateWebhook: decidedBy<CreateWebhook, WebhookView>(createWebhook, {
    generate: (fresh) => ({ webhook_id: fresh.id(WEBHOOK_ID), secret: fresh.webhookSecret() }),
    answer(context, { fresh }, events) {
      const { webhook_id } = bodyOf(events, 'WebhookCreated')!;
      return withSecret(context, webhook_id, fresh.secret);
    },
  }),

  UpdateWebhook: decidedBy<UpdateWebhook, WebhookView>(updateWebhook, {
    generate: (fresh) => ({ secret: fresh.webhookSecret() }),
    answer: (context, { id, rotate_secret, fresh }) =>
      withSecret(context, id, rotate_secret ? fresh.secret : ''),
  }),

  DeleteWebhook: deletion(deleteWebhook),

  ReplayWebhook: decidedBy<ReplayWebhook, ReplayWebhook>(replayWebhook, {
    answer(_, { id }, events) {
      const { from_revision, to_revision, queued } = bodyOf(events, 'WebhookReplayed')!;
      return { id, from_revision, to_revision, queued };
    },
  }),
});

/** Only the answer to the command that created a secret shows it. */
function withSecret(context: Context, webhook_id: string, secret: string): WebhookView {
  const view = presentWebhook(context, context.state.webhooks.get(webhook_id)!);
  return { ...view, secret: secret && context.masked ? MASKED : secret };
}
