import type { GiftcardRedemption } from '../../../libs/application/factory/giftcards.js';
import type { BundledDiskView } from '../../../libs/domain/disks/bundled.js';
import { DISK_TYPES, type DiskType } from '../../../libs/domain/disks/record.js';
import type { GiftcardView } from '../../../libs/domain/giftcards/view.js';
import {
  ShownFlag,
  ShownInteger,
  ShownIntegerOrNull,
  ShownObjectOrNull,
  ShownOneOf,
  ShownRecordOrNull,
  ShownText,
  ShownTextOrNull,
} from '../records/shown.js';

export class BundledDiskRecord implements BundledDiskView {
  @ShownText() name!: string;
  @ShownOneOf(DISK_TYPES) disk_type!: DiskType;
  @ShownTextOrNull() public_note!: string | null;
  @ShownIntegerOrNull({ description: 'Lifetime of new files, ms' }) autoexpire_ms!: number | null;
  @ShownTextOrNull() billing_url!: string | null;
  @ShownObjectOrNull({ description: 'Null for everybody but factory admins' })
  auth_json!: object | null;
}

export class GiftcardRecord implements GiftcardView {
  @ShownText({ example: 'GiftcardSpawnOrgID_3f0c…' }) id!: string;
  @ShownInteger() usd_revenue_cents!: number;
  @ShownText() note!: string;
  @ShownInteger() gas_cycles_included!: number;
  @ShownInteger({ description: 'When it was made' }) timestamp_ms!: number;
  @ShownTextOrNull() external_id!: string | null;
  @ShownFlag() redeemed!: boolean;
  @ShownRecordOrNull(() => BundledDiskRecord) bundled_default_disk!: BundledDiskRecord | null;
}

export class GiftcardRedemptionRecord implements GiftcardRedemption {
  @ShownText() owner_id!: string;
  @ShownText({ example: 'DriveID_2vxsx-fae' }) drive_id!: string;
  @ShownText({ description: 'API base of this server' }) host!: string;
  @ShownText({ description: 'The spawn code, for organization/redeem; shown this once' })
  redeem_code!: string;
  @ShownRecordOrNull(() => BundledDiskRecord, { description: 'Never with its credentials' })
  bundled_default_disk!: BundledDiskRecord | null;
  @ShownTextOrNull() external_id!: string | null;
}
