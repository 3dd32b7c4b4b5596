import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import type { BundledDisk } from '../disks/bundled.js';
import type { Sealed } from '../kernel/sealed.js';

/** Prefix of their ids. */
export const GIFTCARD_ID = 'GiftcardSpawnOrgID_';

const DEFAULT_GAS_CYCLES = 1_000_000_000;

/** Fields of a card that an administrator may change, with their defaults. */
export const GIFTCARD_DEFAULTS = {
  usd_revenue_cents: 0,
  note: '',
  gas_cycles_included: DEFAULT_GAS_CYCLES,
};

export type GiftcardFields = typeof GIFTCARD_DEFAULTS & {
  /** Unique among cards. */
  external_id: string | null;
  bundled_default_disk: Sealed<BundledDisk | null>;
};

/** A card that spawns one organization. Cards live in the factory's stream. */
export interface Giftcard extends RecordBase, Readonly<GiftcardFields> {
  /** The organization that it spawned; null until it is redeemed. */
  readonly drive_id: string | null;
  readonly created_at: number;
}

export const giftcardFamily: FamilyDefinition<Giftcard> = {
  name: 'giftcards',
  defaults: {
    ...GIFTCARD_DEFAULTS,
    external_id: null,
    bundled_default_disk: null,
    drive_id: null,
  },
  user_fields: [],
  indexes: { external_id: (card) => card.external_id },
};

/** Refusals of this family's commands and queries. */
export const giftcardRefusals = {
  'giftcard-not-found': notFound('giftcard', 'gift card'),
  'giftcard-redeemed': {
    type: 'giftcard.redeemed',
    status: 400,
    title: 'The gift card has already been redeemed.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    giftcards: Giftcard;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof giftcardRefusals> {}
}
