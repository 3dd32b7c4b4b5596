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

/** Spends a card on a drive whose stream already exists, and registers that drive. */
export interface RedeemGiftcard {
  giftcard_id: string;
  drive_id: string;
  /** Revision of the card from which the drive was created. The drive lacks later changes of the card. */
  card_revision: number;
}
