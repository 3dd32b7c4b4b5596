import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import { type Purchase, PURCHASE_ID, PURCHASE_STATUSES } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';

const PARTIES = 'for the owner, the vendor and holders of EDIT only';

export const purchaseView = view('Purchase', {
  id: text({ example: 'PurchaseID_3f0c…' }),
  template_id: nullable(text()),
  title: text({ example: 'Hosting, one year' }),
  subtitle: text(),
  description: text(),
  vendor_name: text(),
  vendor_id: text('A user id, or empty'),
  status: oneOf(PURCHASE_STATUSES),
  pricing: text(),
  about_url: text(),
  billing_url: text(),
  support_url: text(),
  delivery_url: text(),
  verification_url: text(),
  auth_installation_url: text(),
  next_delivery_date: integer('ms; -1 = none'),
  vendor_notes: text(`Filled ${PARTIES}`),
  notes: text(`Filled ${PARTIES}`),
  tracer: nullable(text(`Filled ${PARTIES}`)),
  labels: listOf(text()),
  related_resources: listOf(text()),
  created_at: integer(),
  updated_at: integer(),
  last_updated_at: integer('The same as updated_at'),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type PurchaseView = Shown<typeof purchaseView>;

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

export const purchaseReads: ReadDefinition<Purchase, PurchaseView> = {
  family: 'purchases',
  not_found: 'purchase-not-found',
  when_hidden: 'forbidden',
  mayRead(context, purchase) {
    const access = Access.of(context);
    return access.self(purchase.vendor_id) !== null || access.can('VIEW', purchase.id);
  },
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_PURCHASES')) return 'all';
    return [
      { field: 'vendor_id', among: new Set([context.caller.user_id]) },
      { field: 'id', among: recordsHeld(access, 'VIEW', PURCHASE_ID) },
    ];
  },
  present: presentPurchase,
  filter_text: (purchase) => lines(purchase.title, purchase.vendor_name),
  fields: { vendor_id: (purchase) => purchase.vendor_id ?? '' },
  search: {
    category: 'PURCHASES',
    text: (purchase) => lines(purchase.title, purchase.subtitle, purchase.vendor_name, purchase.id),
    title: (purchase) => purchase.title,
    updated_at: (purchase) => purchase.updated_at,
    preview: (purchase) => purchase.vendor_name,
  },
};
