import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { byExternalId } from '../kernel/external-id.js';

/** Prefix of their ids. */
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

/** The fields of a purchase that a client may set. */
export interface PurchaseFields {
  template_id: string | null;
  title: string;
  subtitle: string;
  description: string;
  vendor_name: string;
  /** The user who may read the purchase and report its progress; null for none. */
  vendor_id: string | null;
  status: PurchaseStatus;
  pricing: string;
  about_url: string;
  billing_url: string;
  support_url: string;
  delivery_url: string;
  verification_url: string;
  auth_installation_url: string;
  /** ms; -1 = none. */
  next_delivery_date: number;
  vendor_notes: string;
  notes: string;
  tracer: string | null;
  /** Ids of any kind, chosen by clients. */
  related_resources: readonly string[];
  external_id: string | null;
  external_payload: string | null;
}

/** A purchase by the organization from a vendor, who may be a user of the drive. */
export interface Purchase extends RecordBase, Readonly<PurchaseFields> {
  readonly created_at: number;
  readonly updated_at: number;
}

export const PURCHASE_DEFAULTS: Omit<PurchaseFields, 'title'> = {
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
};

export const purchaseFamily: FamilyDefinition<Purchase> = {
  name: 'purchases',
  prefix: PURCHASE_ID,
  table: 'TABLE_PURCHASES',
  noun: 'purchase',
  defaults: { label_ids: [], ...PURCHASE_DEFAULTS },
  user_fields: ['vendor_id', 'related_resources'],
  uncounted_in_superswap: true,
  indexes: byExternalId,
};

/** Refusals of this family's commands and queries. */
export const purchaseRefusals = {
  'purchase-not-found': notFound('purchase'),
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    purchases: Purchase;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof purchaseRefusals> {}
}
