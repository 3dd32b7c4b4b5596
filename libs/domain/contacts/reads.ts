import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import type { Context } from '../foundation/decision.js';
import { MASKED } from '../kernel/fields.js';
import { PREFIX, principalOf } from '../kernel/ids.js';
import { seesFormerIds } from '../relations/former-ids.js';
import { labelValues } from '../relations/labels.js';
import { groupPreviewView, groupsShown } from './group-previews.js';
import type { Contact } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, opened, type ReadDefinition } from '../foundation/reading.js';

export const contactView = view('Contact', {
  id: text({ example: 'UserID_x2n5…' }),
  name: text({ example: 'Bob' }),
  avatar: text(),
  email: text(),
  notifications_url: text('Empty for callers who may not see it'),
  public_note: text(),
  private_note: text('Empty for callers who may not see it'),
  evm_public_address: text(),
  icp_principal: text(),
  seed_phrase: text<''>('Always empty'),
  secret_entropy: text<''>('Always empty'),
  from_placeholder_user_id: text('The own id of a placeholder; after redemption the former id'),
  redeem_code: text('Empty once it is invalid, and for callers who may not see it'),
  created_at: integer(),
  last_online_ms: integer('ms; 0 if the user was never seen'),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
  labels: listOf(text()),
  group_previews: listOf(groupPreviewView, 'Newest first, at most 100'),
  group_count: integer('Number of all visible groups'),
  past_user_ids: listOf(
    text(),
    'Former ids of the contact; empty for callers who may not see them',
  ),
});
export type ContactView = Shown<typeof contactView>;

/** True for the contact itself and for callers with VIEW. Others do not learn whether the contact exists. */
function mayReadContact(access: Access, contact_id: string): boolean {
  return access.self(contact_id) !== null || access.can('VIEW', contact_id);
}

/** A contact as the caller of `context` sees it. */
export function presentContact(context: Context, contact: Contact): ContactView {
  const access = Access.of(context);
  const { open } = context;
  const may_edit = access.can('EDIT', contact.id);
  const is_close = seesFormerIds(access, contact.id);
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

/** The redeem code, if visible to the caller. It gives the contact's identity, so EDIT on contacts does not suffice. */
function shownCode(context: Context, access: Access, contact: Contact): string {
  const may_see = access.is_owner || access.self(contact.created_by) !== null;
  if (!may_see || !contact.redeem_digest) return '';
  return context.masked ? MASKED : context.open(contact.redeem_code, 'redeem_code');
}

/** The display name of a contact: its name, or else its id. */
const nameOf = (contact: Contact): string => opened(contact.name) || contact.id;

export const contactReads: ReadDefinition<Contact, ContactView> = {
  family: 'contacts',
  not_found: 'contact-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, contact) => mayReadContact(Access.of(context), contact.id),
  mayAsk: (context, id) => mayReadContact(Access.of(context), id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_CONTACTS')) return 'all';
    const among = recordsHeld(access, 'VIEW', PREFIX.user).add(context.caller.user_id);
    return [{ field: 'id', among }];
  },
  present: presentContact,
  shows_presence: (_, user_id) => [user_id],
  filter_text: (contact) =>
    lines(nameOf(contact), opened(contact.email), principalOf(contact.id), contact.id),
  search: {
    category: 'CONTACTS',
    text: (contact) =>
      lines(nameOf(contact), opened(contact.email), contact.id, opened(contact.evm_public_address)),
    title: nameOf,
    updated_at: (contact) => contact.updated_at,
    preview: (contact) => opened(contact.email),
  },
};
