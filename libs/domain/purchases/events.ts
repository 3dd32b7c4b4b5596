import type { EventSchemas } from '../kernel/event.js';
import type { PurchaseFields } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeRecord } from '../relations/cascade.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

export interface PurchaseEvents {
  PurchaseCreated: PurchaseFields & { purchase_id: string };
  PurchaseUpdated: { purchase_id: string } & Partial<PurchaseFields>;
  PurchaseDeleted: { purchase_id: string };
}

export const purchaseSchemas: EventSchemas<PurchaseEvents> = {
  PurchaseCreated: { version: 1 },
  PurchaseUpdated: { version: 1 },
  PurchaseDeleted: { version: 1 },
};

export const purchaseEvolvers: Evolvers<PurchaseEvents> = {
  PurchaseCreated(state, { purchase_id, ...fields }, { timestamp_ms }) {
    state.purchases.put({
      ...fields,
      id: purchase_id,
      created_at: timestamp_ms,
      updated_at: timestamp_ms,
    });
  },

  PurchaseUpdated(state, { purchase_id, ...fields }, { timestamp_ms }) {
    const purchase = state.purchases.get(purchase_id);
    if (purchase) state.purchases.put({ ...purchase, ...fields, updated_at: timestamp_ms });
  },

  PurchaseDeleted: (state, { purchase_id }) => removeRecord(state, state.purchases, purchase_id),
};

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

declare module '../foundation/events.js' {
  interface DriveEvents extends PurchaseEvents {}
}
