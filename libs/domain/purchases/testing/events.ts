import { event, type DomainEvent } from '../../foundation/events.js';
import { PURCHASE_DEFAULTS, type PurchaseFields } from '../record.js';

/** A purchase; by default only with a title. */
export function purchased(purchase_id: string, fields: Partial<PurchaseFields> = {}): DomainEvent {
  return event('PurchaseCreated', {
    purchase_id,
    title: 'Hosting',
    ...PURCHASE_DEFAULTS,
    ...fields,
  });
}
