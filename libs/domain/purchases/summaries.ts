import { changed, type Summaries } from '../foundation/summary-context.js';
import type { PurchaseEvents } from './events.js';

export const purchaseSummaries: Summaries<PurchaseEvents> = {
  PurchaseCreated: ({ actor, name }, { purchase_id }) =>
    `${actor} made the purchase ${name(purchase_id)}`,

  PurchaseUpdated: (context, { purchase_id, status }) =>
    status === undefined
      ? changed(context, 'purchase', purchase_id)
      : `${context.actor} set the purchase ${context.name(purchase_id)} to ${status}`,

  PurchaseDeleted: ({ actor, name }, { purchase_id }) =>
    `${actor} deleted the purchase ${name(purchase_id)}`,
};
