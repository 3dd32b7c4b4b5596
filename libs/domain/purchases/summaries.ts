import { changed, type Summaries } from '../foundation/telling.js';
import type { PurchaseEvents } from './events.js';

export const purchaseSummaries: Summaries<PurchaseEvents> = {
  PurchaseCreated: ({ actor, name }, { purchase_id }) =>
    `${actor} made the purchase ${name(purchase_id)}`,

  PurchaseUpdated: (told, { purchase_id, status }) =>
    status === undefined
      ? changed(told, 'purchase', purchase_id)
      : `${told.actor} set the purchase ${told.name(purchase_id)} to ${status}`,

  PurchaseDeleted: ({ actor, name }, { purchase_id }) =>
    `${actor} deleted the purchase ${name(purchase_id)}`,
};
