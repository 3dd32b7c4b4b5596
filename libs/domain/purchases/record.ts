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

/** The fields of a purchase that a client may set, with their defaults. */
export const PURCHASE_DEFAULTS = {
  template_id: null as string | null,
  subtitle: '',
  description: '',
  vendor_name: '',
  /** The user who may read the purchase and report its progress; null for none. */
  vendor_id: null as string | null,
  status: 'REQUESTED' as PurchaseStatus,
  pricing: '',
  about_url: '',
  billing_url: '',
  support_url: '',
  delivery_url: '',
  verification_url: '',
  auth_installation_url: '',
  /** ms; -1 = none. */
  next_delivery_date: -1,
  vendor_notes: '',
  notes: '',
  tracer: null as string | null,
  /** Ids of any kind, chosen by clients. */
  related_resources: [] as readonly string[],
  external_id: null as string | null,
  external_payload: null as string | null,
};

export type PurchaseFields = typeof PURCHASE_DEFAULTS & { title: string };

/** A purchase by the organization from a vendor, who may be a user of the drive. */
export interface Purchase extends RecordBase, Readonly<PurchaseFields> {
  readonly created_at: number;
  readonly updated_at: number;
}

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
