import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { principalOf } from '../kernel/ids.js';
import { labelValues } from '../relations/labels.js';
import { type GroupsShown, groupsShown } from './group-previews.js';
import type { Contact } from './record.js';

export interface ContactView extends GroupsShown {
  id: string;
  name: string;
  avatar: string;
  email: string;
  notifications_url: string;
  public_note: string;
  private_note: string;
  evm_public_address: string;
  icp_principal: string;
  /** Always `''`: secrets are used to derive an id and then forgotten. */
  seed_phrase: '';
  secret_entropy: '';
  from_placeholder_user_id: string;
  redeem_code: string;
  created_at: number;
  last_online_ms: number;
  external_id: string | null;
  external_payload: string | null;
  permission_previews: readonly SystemType[];
  labels: string[];
  past_user_ids: readonly string[];
}

/** True if the caller may read that contact, or learn that there is none: itself, or VIEW. */
export function mayReadContact(access: Access, contact_id: string): boolean {
  return access.self(contact_id) !== null || access.can('VIEW', contact_id);
}

/** A contact as the caller of `context` sees it. */
export function presentContact(context: Context, contact: Contact): ContactView {
  const access = Access.of(context);
  const { open } = context;
  const may_edit = access.can('EDIT', contact.id);
  const is_close = may_edit || access.self(contact.id) !== null;
  return {
    id: contact.id,
    name: open(contact.name, 'name') || contact.id,
    avatar: open(contact.avatar, 'avatar'),
    email: open(contact.email, 'email'),
    notifications_url: is_close ? open(contact.notifications_url, 'notifications_url') : '',
    public_note: open(contact.public_note, 'public_note'),
    private_note: may_edit ? open(contact.private_note, 'private_note') : '',
    evm_public_address: open(contact.evm_public_address, 'evm_public_address'),
    icp_principal: principalOf(contact.id),
    seed_phrase: '',
    secret_entropy: '',
    from_placeholder_user_id: is_close ? contact.from_placeholder_user_id : '',
    redeem_code: shownCode(context, access, contact),
    created_at: contact.created_at,
    last_online_ms: context.lastOnline(contact.id),
    external_id: open(contact.external_id, 'external_id') || null,
    external_payload: open(contact.external_payload, 'external_payload') || null,
    permission_previews: access.systemTypes(contact.id),
    labels: labelValues(context.state, contact),
    ...groupsShown(context, access, contact.id),
    past_user_ids: is_close ? contact.past_user_ids : [],
  };
}

/** A code is that contact's identity, so EDIT on contacts does not show it. */
function shownCode(context: Context, access: Access, contact: Contact): string {
  const may_see = access.is_owner || access.self(contact.created_by) !== null;
  if (!may_see || !contact.redeem_digest) return '';
  return context.masked ? MASKED : context.open(contact.redeem_code, 'redeem_code');
}
