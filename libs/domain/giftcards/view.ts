import { type BundledDiskView, presentBundledDisk } from '../disks/bundled.js';
import type { Context } from '../foundation/decision.js';
import type { Giftcard } from './record.js';

export interface GiftcardView {
  id: string;
  usd_revenue_cents: number;
  note: string;
  gas_cycles_included: number;
  timestamp_ms: number;
  external_id: string | null;
  redeemed: boolean;
  bundled_default_disk: BundledDiskView | null;
}

/** A gift card; the credentials of its disk for administrators of the factory only. */
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
