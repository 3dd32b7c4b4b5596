import type { ReadDefinition } from '../foundation/reading.js';
import type { Giftcard } from './record.js';
import { type GiftcardView, presentGiftcard } from './view.js';

/** Reads of gift cards. Only factory administrators may read them. */
export const giftcardReads: ReadDefinition<Giftcard, GiftcardView> = {
  family: 'giftcards',
  not_found: 'giftcard-not-found',
  when_hidden: 'forbidden',
  mayAsk: ({ caller }) => caller.is_factory_admin === true,
  mayRead: ({ caller }) => caller.is_factory_admin === true,
  visible: ({ caller }) => (caller.is_factory_admin ? 'all' : []),
  present: presentGiftcard,
  filter_text: (card) => card.note,
};
