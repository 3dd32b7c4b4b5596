import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { labelValues } from '../relations/labels.js';
import { creatorOf, pausedReason, type PausedReason } from './occurring/creators.js';
import { type Webhook, WEBHOOK_EVENTS, WEBHOOK_ID } from './record.js';
import { flag, integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { shownByViewRight } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';

export const webhookView = view('Webhook', {
  id: text({ example: 'WebhookID_3f0c…' }),
  name: text({ example: 'org.inbox.new_mail@INBOX_NEW_MAIL' }),
  url: text(),
  alt_index: text('The watched resource'),
  event: oneOf(WEBHOOK_EVENTS),
  signature: text('Empty without EDIT'),
  secret: text({
    description: 'Signs deliveries; only shown in the answer that created it, otherwise empty',
    example: 'whsec_…',
  }),
  description: text(),
  note: text(),
  active: flag(),
  created_by: text({
    description:
      'Its creator, whose permissions decide what is delivered; the owner if no creator is stored',
    example: 'UserID_…',
  }),
  paused_reason: nullable(
    text<PausedReason>(
      'Why an active webhook is paused: CREATOR_DELETED (its creator’s contact was deleted) or ' +
        'CREATOR_LACKS_RIGHT (its creator may not see the watched resource). Null if it is not paused',
    ),
  ),
  filters: text('JSON of an object, or empty'),
  labels: listOf(text()),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  created_at: integer(),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type WebhookView = Shown<typeof webhookView>;

/** A webhook as the caller of `context` sees it. */
export function presentWebhook(context: Context, webhook: Webhook): WebhookView {
  const access = Access.of(context);
  return {
    id: webhook.id,
    name: webhook.name,
    url: webhook.url,
    alt_index: webhook.alt_index,
    event: webhook.event,
    signature: access.can('EDIT', webhook.id) ? presentSignature(context, webhook) : '',
    secret: '',
    description: webhook.description,
    note: webhook.note,
    active: webhook.active,
    created_by: creatorOf(context.state, webhook),
    paused_reason: pausedReason(context, webhook),
    filters: webhook.filters,
    labels: labelValues(context.state, webhook),
    external_id: webhook.external_id || null,
    external_payload: webhook.external_payload || null,
    created_at: webhook.created_at,
    permission_previews: access.systemTypes(webhook.id),
  };
}

function presentSignature({ masked, open }: Context, { signature }: Webhook): string {
  if (signature === '') return '';
  return masked ? MASKED : open(signature, 'signature');
}

export const webhookReads: ReadDefinition<Webhook, WebhookView> = {
  family: 'webhooks',
  not_found: 'webhook-not-found',
  when_hidden: 'forbidden',
  ...shownByViewRight('TABLE_WEBHOOKS', WEBHOOK_ID),
  present: presentWebhook,
  filter_text: (webhook) => lines(webhook.name, webhook.event, webhook.alt_index),
};
