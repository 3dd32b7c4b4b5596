import type { RecordBase } from '../kernel/record.js';
import type { EventSchemas } from '../kernel/event.js';
import type { Purchase } from './record.js';

/** The fields of a purchase that a client may set. */
export type PurchaseFields = {
  -readonly [
    Field in Exclude<keyof Purchase, keyof RecordBase | 'created_at' | 'updated_at'>
  ]: Purchase[Field];
};

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

declare module '../foundation/events.js' {
  interface DriveEvents extends PurchaseEvents {}
}
