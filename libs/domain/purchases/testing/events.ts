import { event, type DomainEvent } from '../../foundation/events.js';
import { PURCHASE_DEFAULTS, type PurchaseFields } from '../record.js';

/** A purchase with nothing set but its title, unless told otherwise. */
export function purchased(purchase_id: string, fields: Partial<PurchaseFields> = {}): DomainEvent {
  return event('PurchaseCreated', {
    purchase_id,
    title: 'Hosting',
    ...PURCHASE_DEFAULTS,
    ...fields,
  });
}
