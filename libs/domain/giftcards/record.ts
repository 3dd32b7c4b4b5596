import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import type { BundledDisk } from '../disks/bundled.js';
import type { Sealed } from '../kernel/sealed.js';

/** How their ids begin. */
export const GIFTCARD_ID = 'GiftcardSpawnOrgID_';

/** What a card holds that says nothing else. */
export const DEFAULT_GAS_CYCLES = 1_000_000_000;

/** A card that spawns one organization. Cards live in the factory's stream. */
export interface Giftcard extends RecordBase {
  readonly usd_revenue_cents: number;
  readonly note: string;
  readonly gas_cycles_included: number;
  /** No two cards have the same. */
  readonly external_id: string | null;
  readonly bundled_default_disk: Sealed<BundledDisk | null>;
  /** The organization that it spawned; null until it is redeemed. */
  readonly drive_id: string | null;
  readonly created_at: number;
}

export const giftcardFamily: FamilyDefinition<Giftcard> = {
  name: 'giftcards',
  defaults: {
    usd_revenue_cents: 0,
    note: '',
    gas_cycles_included: DEFAULT_GAS_CYCLES,
    external_id: null,
    bundled_default_disk: null,
    drive_id: null,
  },
  user_fields: [],
  indexes: { external_id: (card) => card.external_id },
};

declare module '../foundation/state.js' {
  interface Records {
    giftcards: Giftcard;
  }
}
