import type { Evolvers } from '../foundation/evolver.js';
import type { GiftcardEvents } from './events.js';

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
