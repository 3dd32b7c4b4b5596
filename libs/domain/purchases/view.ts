import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { Purchase, PurchaseStatus } from './record.js';

export interface PurchaseView {
  id: string;
  template_id: string | null;
  title: string;
  subtitle: string;
  description: string;
  vendor_name: string;
  vendor_id: string;
  status: PurchaseStatus;
  pricing: string;
  about_url: string;
  billing_url: string;
  support_url: string;
  delivery_url: string;
  verification_url: string;
  auth_installation_url: string;
  next_delivery_date: number;
  vendor_notes: string;
  notes: string;
  tracer: string | null;
  labels: string[];
  related_resources: readonly string[];
  created_at: number;
  updated_at: number;
  last_updated_at: number;
  external_id: string | null;
  external_payload: string | null;
  permission_previews: readonly SystemType[];
}

/** A purchase as the caller of `context` sees it. */
export function presentPurchase(context: Context, purchase: Purchase): PurchaseView {
  const access = Access.of(context);
  const is_party = access.can('EDIT', purchase.id) || access.self(purchase.vendor_id) !== null;
  return {
    id: purchase.id,
    template_id: purchase.template_id || null,
    title: purchase.title,
    subtitle: purchase.subtitle,
    description: purchase.description,
    vendor_name: purchase.vendor_name,
    vendor_id: purchase.vendor_id ?? '',
    status: purchase.status,
    pricing: purchase.pricing,
    about_url: purchase.about_url,
    billing_url: purchase.billing_url,
    support_url: purchase.support_url,
    delivery_url: purchase.delivery_url,
    verification_url: purchase.verification_url,
    auth_installation_url: purchase.auth_installation_url,
    next_delivery_date: purchase.next_delivery_date,
    vendor_notes: is_party ? purchase.vendor_notes : '',
    notes: is_party ? purchase.notes : '',
    tracer: (is_party && purchase.tracer) || null,
    labels: labelValues(context.state, purchase),
    related_resources: purchase.related_resources,
    created_at: purchase.created_at,
    updated_at: purchase.updated_at,
    last_updated_at: purchase.updated_at,
    external_id: purchase.external_id || null,
    external_payload: purchase.external_payload || null,
    permission_previews: access.systemTypes(purchase.id),
  };
}
