import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn } from '../relations/cascade.js';
import type { PurchaseEvents } from './events.js';

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

  PurchaseDeleted(state, { purchase_id }) {
    removeGrantsOn(state, purchase_id);
    state.purchases.remove(purchase_id);
  },
};
