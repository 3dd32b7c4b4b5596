import type { Summaries } from '../foundation/summary-context.js';
import type { GiftcardEvents } from './events.js';

export const giftcardSummaries: Summaries<GiftcardEvents> = {
  GiftcardCreated: ({ actor }, { giftcard_id }) => `${actor} made the gift card ${giftcard_id}`,

  GiftcardUpdated: ({ actor }, { giftcard_id }) => `${actor} changed the gift card ${giftcard_id}`,

  GiftcardRedeemed: (_, { giftcard_id, drive_id }) =>
    `The gift card ${giftcard_id} founded the organization ${drive_id}`,

  GiftcardDeleted: ({ actor }, { giftcard_id }) => `${actor} deleted the gift card ${giftcard_id}`,
};
