import { bundledDiskView, presentBundledDisk } from '../disks/bundled.js';
import type { Context } from '../foundation/decision.js';
import type { Giftcard } from './record.js';
import { flag, integer, nullable, type Shown, text, view } from '../kernel/view.js';
import type { ReadDefinition } from '../foundation/reading.js';

export const giftcardView = view('Giftcard', {
  id: text({ example: 'GiftcardSpawnOrgID_3f0c…' }),
  usd_revenue_cents: integer(),
  note: text(),
  gas_cycles_included: integer(),
  timestamp_ms: integer('Time of creation, ms'),
  external_id: nullable(text()),
  redeemed: flag(),
  bundled_default_disk: nullable(bundledDiskView),
});
export type GiftcardView = Shown<typeof giftcardView>;

/** A gift card. Only factory administrators see the credentials of its disk. */
export function presentGiftcard(context: Context, card: Giftcard): GiftcardView {
  const { caller, masked, open } = context;
  const credentials = masked ? 'masked' : caller.is_factory_admin ? 'shown' : 'hidden';
  const disk = open(card.bundled_default_disk, 'bundled_default_disk');
  return {
    id: card.id,
    usd_revenue_cents: card.usd_revenue_cents,
    note: card.note,
    gas_cycles_included: card.gas_cycles_included,
    timestamp_ms: card.created_at,
    external_id: card.external_id,
    redeemed: card.drive_id !== null,
    bundled_default_disk: presentBundledDisk(disk, credentials),
  };
}

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
