import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import { PURCHASE_STATUSES, type PurchaseStatus } from '../../../libs/domain/purchases/record.js';
import type { PurchaseView } from '../../../libs/domain/purchases/view.js';
import {
  ShownInteger,
  ShownOneOf,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
  ShownWords,
} from '../records/shown.js';

const PARTIES = 'for the owner, the vendor and holders of EDIT only';

export class PurchaseRecord implements PurchaseView {
  @ShownText({ example: 'PurchaseID_3f0c…' }) id!: string;
  @ShownTextOrNull() template_id!: string | null;
  @ShownText({ example: 'Hosting, one year' }) title!: string;
  @ShownText() subtitle!: string;
  @ShownText() description!: string;
  @ShownText() vendor_name!: string;
  @ShownText({ description: 'A user id, or empty' }) vendor_id!: string;
  @ShownOneOf(PURCHASE_STATUSES) status!: PurchaseStatus;
  @ShownText() pricing!: string;
  @ShownText() about_url!: string;
  @ShownText() billing_url!: string;
  @ShownText() support_url!: string;
  @ShownText() delivery_url!: string;
  @ShownText() verification_url!: string;
  @ShownText() auth_installation_url!: string;
  @ShownInteger({ description: 'ms; -1 = none' }) next_delivery_date!: number;
  @ShownText({ description: `Filled ${PARTIES}` }) vendor_notes!: string;
  @ShownText({ description: `Filled ${PARTIES}` }) notes!: string;
  @ShownTextOrNull({ description: `Filled ${PARTIES}` }) tracer!: string | null;
  @ShownTexts() labels!: string[];
  @ShownTexts() related_resources!: readonly string[];
  @ShownInteger() created_at!: number;
  @ShownInteger() updated_at!: number;
  @ShownInteger({ description: 'The same as updated_at' }) last_updated_at!: number;
  @ShownTextOrNull() external_id!: string | null;
  @ShownTextOrNull() external_payload!: string | null;
  @ShownWords(SYSTEM_TYPES) permission_previews!: readonly SystemType[];
}
