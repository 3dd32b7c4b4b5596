import type { PurchaseFields } from './record.js';

/** Commands on purchases. Absent fields get their default (create) or do not change (update). */
export interface CreatePurchase extends Partial<PurchaseFields> {
  id?: string;
  title: string;
  fresh: { purchase_id: string };
}

export interface UpdatePurchase extends Partial<PurchaseFields> {
  id: string;
}

export interface DeletePurchase {
  id: string;
}
