import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { labelValues } from '../relations/labels.js';
import { makerOf, pausedReason, type PausedReason } from './occurring/makers.js';
import type { Webhook, WebhookEvent } from './record.js';

export interface WebhookView {
  id: string;
  name: string;
  url: string;
  alt_index: string;
  event: WebhookEvent;
  signature: string;
  /** `''` except in answers that create a new one. */
  secret: string;
  description: string;
  note: string;
  active: boolean;
  /** The user whose permissions limit deliveries. */
  created_by: string;
  /** Why an active webhook is paused; null if it is not. */
  paused_reason: PausedReason | null;
  filters: string;
  labels: string[];
  external_id: string | null;
  external_payload: string | null;
  created_at: number;
  permission_previews: readonly SystemType[];
}

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
    created_by: makerOf(context.state, webhook),
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
