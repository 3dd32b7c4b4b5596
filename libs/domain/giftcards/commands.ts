import type { DiskSettings } from '../disks/commands.js';
import type { GiftcardFields } from './record.js';

interface GiftcardSettings extends Omit<GiftcardFields, 'bundled_default_disk'> {
  bundled_default_disk: DiskSettings | null;
}

export interface CreateGiftcard extends Partial<GiftcardSettings> {
  fresh: { giftcard_id: string };
}

export interface UpdateGiftcard extends Partial<GiftcardSettings> {
  id: string;
}

export interface DeleteGiftcard {
  id: string;
}

/** Spends a card on a drive whose stream was begun before, and makes that drive known. */
export interface RedeemGiftcard {
  giftcard_id: string;
  drive_id: string;
  /** Revision of the card when the drive was made from it: what was changed since is not in the drive. */
  card_revision: number;
}
