import type { EventSchemas } from '../kernel/event.js';
import type { GiftcardFields } from './record.js';
import type { Evolvers } from '../foundation/evolver.js';
import type { Summaries } from '../foundation/summary-context.js';

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

export const giftcardEvolvers: Evolvers<GiftcardEvents> = {
  GiftcardCreated(state, { giftcard_id: id, ...fields }, { timestamp_ms: created_at }) {
    state.giftcards.put({ ...fields, id, drive_id: null, created_at });
  },

  GiftcardUpdated(state, { giftcard_id, ...fields }) {
    const card = state.giftcards.get(giftcard_id);
    if (card) state.giftcards.put({ ...card, ...fields });
  },

  GiftcardRedeemed(state, { giftcard_id, drive_id }) {
    const card = state.giftcards.get(giftcard_id);
    if (card) state.giftcards.put({ ...card, drive_id });
  },

  GiftcardDeleted(state, { giftcard_id }) {
    state.giftcards.remove(giftcard_id);
  },
};

export const giftcardSummaries: Summaries<GiftcardEvents> = {
  GiftcardCreated: ({ actor }, { giftcard_id }) => `${actor} made the gift card ${giftcard_id}`,

  GiftcardUpdated: ({ actor }, { giftcard_id }) => `${actor} changed the gift card ${giftcard_id}`,

  GiftcardRedeemed: (_, { giftcard_id, drive_id }) =>
    `The gift card ${giftcard_id} founded the organization ${drive_id}`,

  GiftcardDeleted: ({ actor }, { giftcard_id }) => `${actor} deleted the gift card ${giftcard_id}`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends GiftcardEvents {}
}
