import { CONTACT_SETTINGS } from '../relations/bare-contact.js';
import { personOf } from './person.js';
import type { DriveState } from '../foundation/state.js';
import { event } from '../foundation/events.js';
import { Access, type Evidence } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { filled, given, isEmpty } from '../kernel/fields.js';
import { refuse } from '../kernel/refusal.js';
import type { CreateContact, DeleteContact, EraseContact, UpdateContact } from './commands.js';
import { isFormerId } from '../relations/former-ids.js';

/** Fields that users may change on their own contact. */
const OWN_FIELDS = [
  'name',
  'avatar',
  'email',
  'notifications_url',
  'public_note',
  'evm_public_address',
] as const;
const OTHER_FIELDS = ['private_note', 'external_id', 'external_payload'] as const;

export const createContact: Decider<CreateContact> = (context, command) => {
  const { state, caller } = context;
  const { id, is_placeholder, fresh } = command;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_CONTACTS');
  if (!allowed) return access.denied();
  if (state.contacts.has(id)) return refuse('contact-exists');
  if (isFormerId(state, id)) return refuse('former-user-id');
  const is_referenced = state.undo_log.referencesTo(id) > 0;
  if (is_placeholder === true && is_referenced) return refuse('user-in-use');
  const has_code = is_placeholder !== false && !is_referenced;
  const joins = missesGroupForAll(state, id);
  return accept(
    allowed,
    event('ContactCreated', {
      contact_id: id,
      subject_key_id: fresh.subject_key_id,
      ...filled(CONTACT_SETTINGS, command),
      from_placeholder_user_id: is_placeholder ? id : '',
      redeem_code: has_code ? fresh.code : '',
      redeem_digest: has_code ? fresh.code_digest : '',
      code_ends_on_sign_in: has_code && !is_placeholder,
      created_by: caller.user_id,
      everyone_invite_id: joins ? fresh.invite_id : null,
      everyone_inviter_id: joins ? caller.user_id : null,
    }),
  );
};

export const updateContact: Decider<UpdateContact> = (context, command) => {
  const others = given(command, OTHER_FIELDS);
  const fields = { ...given(command, OWN_FIELDS), ...others };
  const access = Access.of(context);
  const allowed = mayUpdate(access, command.id, isEmpty(others));
  if (!allowed) return access.denied();
  const contact = context.state.contacts.get(command.id);
  if (!contact) return refuse('contact-not-found');
  if (isEmpty(fields)) return refuse('nothing-to-update');
  const { id: contact_id, subject_key_id } = contact;
  return accept(allowed, event('ContactUpdated', { contact_id, subject_key_id, ...fields }));
};

export const deleteContact: Decider<DeleteContact> = (context, { id }) => {
  const { state } = context;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', id);
  if (!allowed) return access.denied();
  if (!state.contacts.has(id)) return refuse('contact-not-found');
  if (state.organization.owner_id === id) return refuse('owner-contact-undeletable');
  return accept(allowed, event('ContactDeleted', { contact_id: id }));
};

export const eraseContact: Decider<EraseContact> = (context, { id }) => {
  const { state } = context;
  const access = Access.of(context);
  const allowed = access.owner();
  if (!allowed) return access.denied();
  const person = personOf(state, id);
  if (!person) return refuse('contact-not-found');
  const { contact_ids } = person;
  if (contact_ids.includes(state.organization.owner_id)) return refuse('owner-contact-undeletable');
  const subject_key_ids = person.key_ids.filter((key_id) => !state.subjects.isErased(key_id));
  if (subject_key_ids.length === 0) return accept(allowed);
  return accept(
    allowed,
    event('ContactErased', { contact_id: id, contact_ids: [...contact_ids], subject_key_ids }),
  );
};

function mayUpdate(access: Access, id: string, only_own_fields: boolean): Evidence | null {
  const self = only_own_fields ? access.self(id) : null;
  return access.owner() ?? self ?? access.system('EDIT', id);
}

/** True if the everyone group exists and the user has no invite in it, active or not. */
function missesGroupForAll(state: DriveState, user_id: string): boolean {
  const group_id = state.organization.default_everyone_group_id;
  if (!state.groups.has(group_id)) return false;
  for (const invite of state.invites.where('invitee', user_id))
    if (invite.group_id === group_id) return false;
  return true;
}
