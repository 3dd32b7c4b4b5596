import type { EventSchemas } from '../kernel/event.js';
import type { GiftcardFields } from './record.js';

/** Events of the stream `factory` about gift cards. */
export interface GiftcardEvents {
  GiftcardCreated: { giftcard_id: string } & GiftcardFields;
  GiftcardUpdated: { giftcard_id: string } & Partial<GiftcardFields>;
  /** The card is spent: it has spawned this organization. */
  GiftcardRedeemed: { giftcard_id: string; drive_id: string };
  GiftcardDeleted: { giftcard_id: string };
}

export const giftcardSchemas: EventSchemas<GiftcardEvents> = {
  GiftcardCreated: { version: 1, secret: ['bundled_default_disk'] },
  GiftcardUpdated: { version: 1, secret: ['bundled_default_disk'] },
  GiftcardRedeemed: { version: 1 },
  GiftcardDeleted: { version: 1 },
};

declare module '../foundation/events.js' {
  interface DriveEvents extends GiftcardEvents {}
}
