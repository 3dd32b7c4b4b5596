import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { principalOf } from '../kernel/ids.js';
import { organizationUrl, shortlinkUrl } from './links.js';
import type { Organization, Shortlink, Superswap } from './record.js';
import { flag, listOf, nullable, type Shown, text, view } from '../kernel/view.js';
import { type Refusal, refuse } from '../kernel/refusal.js';

const IF_REDACTED = '`REDACTED` without VIEW on DRIVES';

const REDACTED = 'REDACTED';

export const aboutView = view('About', {
  organization_name: text(IF_REDACTED),
  organization_id: text(),
  owner: text(IF_REDACTED),
  host: text('API base of this server'),
  frontend_url: text(),
  canister_id: text(IF_REDACTED),
  version: text(),
  gas_cycles: text({ example: '0' }),
  daily_idle_cycle_burn_rate: text({ example: '0' }),
  controllers: listOf(text()),
  external_id: text('Empty without VIEW on DRIVES'),
  email: nullable(text('Null without VIEW on DRIVES')),
});
export type AboutView = Shown<typeof aboutView>;

/** A summary of the organization; complete for holders of VIEW on its drive record. */
export function about(context: Context): AboutView {
  const { state, settings } = context;
  const organization = state.organization;
  const sees_all = Access.of(context).can('VIEW', state.drive_id);
  return {
    organization_name: sees_all ? organization.name : REDACTED,
    organization_id: state.drive_id,
    owner: sees_all ? organization.owner_id : REDACTED,
    host: settings.host_url,
    frontend_url: organizationUrl(settings, state.drive_id),
    canister_id: sees_all ? principalOf(state.drive_id) : REDACTED,
    version: settings.version,
    // Nothing is metered, but clients expect these members.
    gas_cycles: '0',
    daily_idle_cycle_burn_rate: '0',
    controllers: [],
    external_id: (sees_all && organization.external_id) || '',
    email: sees_all ? presentEmail(context, organization) : null,
  };
}

export const whoAmIView = view('WhoAmI', {
  userID: text(),
  driveID: text(),
  nickname: text('`Anonymous User` for callers who are not contacts'),
  icp_principal: text(),
  evm_public_address: nullable(text()),
  is_owner: flag(),
  drive_nickname: text(),
});
export type WhoAmIView = Shown<typeof whoAmIView>;

/** The identity of the caller in this drive. */
export function whoAmI(context: Context): WhoAmIView {
  const { state, caller, open } = context;
  const contact = state.contacts.get(caller.user_id);
  return {
    userID: caller.user_id,
    driveID: state.drive_id,
    nickname: contact ? open(contact.name, 'name') || contact.id : 'Anonymous User',
    icp_principal: principalOf(caller.user_id),
    evm_public_address: (contact && open(contact.evm_public_address, 'evm_public_address')) || null,
    is_owner: Access.of(context).is_owner,
    drive_nickname: state.organization.name || 'Unnamed Organization',
  };
}

/**
 * The organization's record. For others than the owner (whose view auditors get) it has the members that `about` and
 * the organization's drive record show; no caller gets the code.
 */
export function presentOrganization(context: Context, organization: Organization) {
  const principal = principalOf(organization.id);
  return {
    id: organization.id,
    drive_id: organization.id,
    drive_name: organization.name,
    icp_principal: principal,
    canister_id: principal,
    version: context.settings.version,
    owner_id: organization.owner_id,
    host_url: organization.host_url,
    frontend_url: organization.frontend_url,
    external_id: organization.external_id || null,
    email: presentEmail(context, organization),
    created_at: organization.created_at,
    ...(Access.of(context).is_owner && {
      pending_owner_id: organization.pending_owner_id,
      pending_since_ms: organization.pending_since_ms,
      spawn_redeem_code: organization.spawn_redeem_digest ? MASKED : '',
      spawn_note: context.open(organization.spawn_note, 'spawn_note'),
      default_everyone_group_id: organization.default_everyone_group_id,
      allowed_domains: organization.allowed_domains,
      external_payload: organization.external_payload || null,
    }),
  };
}

export const shortlinkView = view('Shortlink', {
  slug: text(),
  original_url: text('Target; for a removed link the web client’s not-found page'),
  shortlink_url: text(),
});
export type ShortlinkView = Shown<typeof shortlinkView>;

/** A short link as shown to callers. */
export function presentLink({ settings, state }: Context, link: Shortlink): ShortlinkView {
  return {
    slug: link.id,
    original_url: link.original_url,
    shortlink_url: shortlinkUrl(settings, state.drive_id, link.id),
  };
}

/** The record of a short link, for replay and snapshot. */
export function presentShortlink(context: Context, link: Shortlink): object {
  const { id, created_by, created_at } = link;
  return { id, ...presentLink(context, link), created_by, created_at };
}

/** The record of a superswap, for replay and snapshot. */
export function presentSuperswap(_: Context, swap: Superswap): object {
  const { id, old_user_id, new_user_id, created_at } = swap;
  return { id, old_user_id, new_user_id, created_at };
}

function presentEmail({ open }: Context, record: Organization): string | null {
  return open(record.email, 'email') || null;
}

/** The target of a short link; every caller may follow one. */
export function resolveShortlink(context: Context, slug: string): ShortlinkView | Refusal {
  const link = context.state.shortlinks.get(slug);
  return link ? presentLink(context, link) : refuse('shortlink-not-found');
}
