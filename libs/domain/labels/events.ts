import type { EventSchemas } from '../kernel/event.js';
import type { LabelFields } from './record.js';

export interface LabelEvents {
  LabelCreated: LabelFields & { label_id: string; created_by: string };
  LabelUpdated: { label_id: string } & Partial<LabelFields>;
  /** The label was deleted, and unpinned from all records. */
  LabelDeleted: { label_id: string };
  LabelPinned: { label_id: string; resource_id: string };
  LabelUnpinned: { label_id: string; resource_id: string };
}

export const labelSchemas: EventSchemas<LabelEvents> = {
  LabelCreated: { version: 1 },
  LabelUpdated: { version: 1 },
  LabelDeleted: { version: 1 },
  LabelPinned: { version: 1 },
  LabelUnpinned: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends LabelEvents {}
}
