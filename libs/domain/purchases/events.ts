import type { EventSchemas } from '../kernel/event.js';
import type { PurchaseFields } from './record.js';

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
