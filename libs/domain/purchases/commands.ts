import type { PurchaseFields } from './record.js';

/** What a caller may ask of purchases. Absent fields take their default (create) or stay (update). */
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
