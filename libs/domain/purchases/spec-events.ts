import { event, type DomainEvent } from '../foundation/events.js';
import type { PurchaseFields } from './events.js';

/** A purchase with nothing set but its title, unless told otherwise. */
export function purchased(purchase_id: string, fields: Partial<PurchaseFields> = {}): DomainEvent {
  return event('PurchaseCreated', {
    purchase_id,
    template_id: null,
    title: 'Hosting',
    subtitle: '',
    description: '',
    vendor_name: '',
    vendor_id: null,
    status: 'REQUESTED',
    pricing: '',
    about_url: '',
    billing_url: '',
    support_url: '',
    delivery_url: '',
    verification_url: '',
    auth_installation_url: '',
    next_delivery_date: -1,
    vendor_notes: '',
    notes: '',
    tracer: null,
    related_resources: [],
    external_id: null,
    external_payload: null,
    ...fields,
  });
}
