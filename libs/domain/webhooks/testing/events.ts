import { event, type DomainEvent } from '../../foundation/events.js';
import type { WebhookEvents } from '../events.js';

/** The creation of an active webhook; by default to `https://hook.example/`. */
export function watching(
  webhook_id: string,
  alt_index: string,
  fields: Partial<WebhookEvents['WebhookCreated']> = {},
): DomainEvent {
  return event('WebhookCreated', {
    webhook_id,
    alt_index,
    event: 'org.inbox.new_mail',
    secret: 'whsec_spec',
    name: 'Hook',
    url: 'https://hook.example/',
    signature: '',
    description: '',
    note: '',
    active: true,
    filters: '',
    external_id: null,
    external_payload: null,
    ...fields,
  });
}
