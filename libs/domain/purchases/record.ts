import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { byExternalId } from '../kernel/external-id.js';

/** How their ids begin. */
export const PURCHASE_ID = 'PurchaseID_';

export const PURCHASE_STATUSES = [
  'REQUESTED',
  'AWAITING',
  'RUNNING',
  'BLOCKED',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'REFUNDED',
  'ARCHIVED',
  'PAID',
  'PAYMENT_REQUIRED',
  'PAYMENT_FAILED',
  'UNKNOWN',
] as const;
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number];

/** Something the organization buys from a vendor, who may be a user of the drive. */
export interface Purchase extends RecordBase {
  readonly template_id: string | null;
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  readonly vendor_name: string;
  /** The user who may read the purchase and tell how it goes; null for none. */
  readonly vendor_id: string | null;
  readonly status: PurchaseStatus;
  readonly pricing: string;
  readonly about_url: string;
  readonly billing_url: string;
  readonly support_url: string;
  readonly delivery_url: string;
  readonly verification_url: string;
  readonly auth_installation_url: string;
  /** ms; -1 = none. */
  readonly next_delivery_date: number;
  readonly vendor_notes: string;
  readonly notes: string;
  readonly tracer: string | null;
  /** Ids of any kind, as clients put them together. */
  readonly related_resources: readonly string[];
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export const purchaseFamily: FamilyDefinition<Purchase> = {
  name: 'purchases',
  prefix: PURCHASE_ID,
  table: 'TABLE_PURCHASES',
  noun: 'purchase',
  defaults: {
    label_ids: [],
    template_id: null,
    subtitle: '',
    description: '',
    vendor_name: '',
    vendor_id: null,
    status: 'REQUESTED',
    pricing: '',
    about_url: '',
    billing_url: '',
    support_url: '',
    delivery_url: '',
    verification_url: '',
    auth_installation_url: '',
    next_delivery_date: -1,
    vendor_notes: '',
    notes: '',
    tracer: null,
    related_resources: [],
    external_id: null,
    external_payload: null,
  },
  user_fields: ['vendor_id', 'related_resources'],
  uncounted_in_superswap: true,
  indexes: byExternalId,
};

declare module '../foundation/state.js' {
  interface Records {
    purchases: Purchase;
  }
}
