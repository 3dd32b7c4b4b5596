import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { type Purchase, PURCHASE_ID } from './record.js';
import { presentPurchase, type PurchaseView } from './view.js';

export const purchaseReads: ReadDefinition<Purchase, PurchaseView> = {
  family: 'purchases',
  not_found: 'purchase-not-found',
  when_hidden: 'forbidden',
  mayRead(context, purchase) {
    const access = Access.of(context);
    return access.self(purchase.vendor_id) !== null || access.can('VIEW', purchase.id);
  },
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PURCHASES')) return 'all';
    return [
      { field: 'vendor_id', among: new Set([context.caller.user_id]) },
      { field: 'id', among: recordsHeld(access, 'VIEW', PURCHASE_ID) },
    ];
  },
  present: presentPurchase,
  filter_text: (purchase) => lines(purchase.title, purchase.vendor_name),
  fields: { vendor_id: (purchase) => purchase.vendor_id ?? '' },
  search: {
    category: 'PURCHASES',
    text: (purchase) => lines(purchase.title, purchase.subtitle, purchase.vendor_name, purchase.id),
    title: (purchase) => purchase.title,
    updated_at: (purchase) => purchase.updated_at,
    preview: (purchase) => purchase.vendor_name,
  },
};
