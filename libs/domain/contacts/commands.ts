import {
  endOf,
  freshApiKey,
  type FreshApiKey,
  makerOf,
  serviceKeyCreated,
} from '../api-keys/commands.js';
import { SEALED } from '../kernel/sealed.js';
import { type Contact, type ContactFields, PERSONAL_FIELDS } from './record.js';
import { event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { refuseUnidentified } from '../access/caller.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import {
  type Changes,
  changes,
  equalDigests,
  filled,
  isEmpty,
  MASKED,
  prepend,
} from '../kernel/fields.js';
import { refuse } from '../kernel/refusal.js';
import { isFormerId, refuseFormerId } from '../relations/former-ids.js';
import { CONTACT_SETTINGS } from '../relations/bare-contact.js';
import { personOf } from './person.js';
import type { DriveState } from '../foundation/state.js';
import { Access, type Evidence } from '../access/access.js';
import { PREFIX } from '../kernel/ids.js';
import { deletedView, deletion, recordAnswers } from '../foundation/record-answers.js';
import { contactView, presentContact } from './reads.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

/** The fields of a contact that a client may set, in clear. */
export type ContactSettings = typeof CONTACT_SETTINGS;

export interface CreateContact extends Partial<ContactSettings> {
  /** Given, derived or generated; determined before the command. */
  id: string;
  /** True: the id is a placeholder to be redeemed. False: it must not be a placeholder. */
  is_placeholder?: boolean;
  fresh: { subject_key_id: string; invite_id: string; code: string; code_digest: string };
}

export interface UpdateContact extends Changes<typeof CONTACT_SETTINGS> {
  id: string;
}

export interface EraseContact {
  /** A current or former id of the person. */
  id: string;
}

export interface RedeemContact {
  current_user_id: string;
  new_user_id: string;
  /** SHA-256 (hex) of the given code; `''` without one. */
  redeem_digest: string;
  note?: string;
  fresh: FreshApiKey;
}

/** Run by the service at the first call with a contact's signature, if that ends its code. */
export interface EndContactCode {
  contact_id: string;
}

/** Name of the key that the service creates when a contact is redeemed. */
const REDEEMED_KEY_NAME = 'Superswap User API Key';
const LONGEST_NOTE = 8192;

/**
 * Redeems a placeholder contact. An unknown contact and a wrong code get the same refusal: ids are public principals,
 * and callers must not learn which of them are contacts.
 */
export const redeemContact: Decider<RedeemContact> = (context, command) => {
  const { state, caller } = context;
  const { current_user_id, new_user_id, note, fresh } = command;
  if (!caller.user_id) return refuseUnidentified(caller);
  if (current_user_id === new_user_id) {
    const reason = 'must differ from current_user_id';
    return refuse('same-user', { pointer: '/new_user_id', reason });
  }
  const contact = state.contacts.get(current_user_id);
  const is_owner = state.organization.owner_id === current_user_id;
  if (!contact || is_owner || !equalDigests(contact.redeem_digest, command.redeem_digest)) {
    const reason = 'does not redeem this user';
    return refuse('redeem-code-invalid', { pointer: '/redeem_code', reason });
  }
  if (state.contacts.has(new_user_id))
    return refuse('contact-exists', { pointer: '/new_user_id', reason: 'is already a contact' });
  if (isFormerId(state, new_user_id) && !contact.past_user_ids.includes(new_user_id))
    return refuseFormerId('/new_user_id');
  if (new_user_id !== caller.user_id && state.undo_log.referencesTo(new_user_id) > 0)
    return refuse('user-in-use', {
      pointer: '/new_user_id',
      reason: 'is referred to in this drive',
    });
  if (note && isSealed(context, contact)) return refuse('contact-sealed');
  // Whoever redeems for somebody else receives the key, and made it.
  const maker = makerOf(context);
  const created_by = maker === new_user_id || maker === current_user_id ? null : maker;
  // The new key must not outlive the key of the call.
  const expires_at = endOf(caller.key_expires_at);
  const note_before = () => context.open(contact.public_note, 'public_note');
  return accept(
    ['CODE'],
    event('ContactRedeemed', {
      current_user_id,
      new_user_id,
      subject_key_id: contact.subject_key_id,
      public_note: note ? prepend(note, note_before(), LONGEST_NOTE) : null,
    }),
    serviceKeyCreated(new_user_id, REDEEMED_KEY_NAME, fresh, 0, expires_at, created_by),
  );
};

export const endContactCode: Decider<EndContactCode> = ({ state, caller }, { contact_id }) => {
  if (caller.via !== 'SYSTEM') return refuse('forbidden');
  const contact = state.contacts.get(contact_id);
  if (!contact?.code_ends_on_sign_in) return accept(['SYSTEM']);
  return accept(['SYSTEM'], event('ContactCodeEnded', { contact_id }));
};

/**
 * True if the key of a person is missing, as after a restore from before an erasure. Another key could not be stored
 * under its id, and what is sealed under it would be lost.
 */
function isSealed({ open }: Context, contact: Contact): boolean {
  return PERSONAL_FIELDS.some((field) => open<unknown>(contact[field], field) === SEALED);
}

/** Fields that users may change on their own contact. */
const OWN_FIELDS: ReadonlySet<string> = new Set<keyof ContactFields>([
  'name',
  'avatar',
  'email',
  'notifications_url',
  'public_note',
  'evm_public_address',
]);

export const createContact: Decider<CreateContact> = (context, command) => {
  const { state, caller } = context;
  const { id, is_placeholder, fresh } = command;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_CONTACTS');
  if (!allowed) return access.denied();
  if (state.contacts.has(id))
    return refuse('contact-exists', { pointer: '/id', reason: 'is already a contact' });
  if (isFormerId(state, id)) return refuseFormerId('/id');
  const is_referenced = state.undo_log.referencesTo(id) > 0;
  if (is_placeholder === true && is_referenced)
    return refuse('user-in-use', {
      pointer: '/is_placeholder',
      reason: 'must not be true for an id that the drive already refers to',
    });
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
  const fields = changes(CONTACT_SETTINGS, command);
  const only_own = Object.keys(fields).every((field) => OWN_FIELDS.has(field));
  const access = Access.of(context);
  const allowed = mayUpdate(access, command.id, only_own);
  if (!allowed) return access.denied();
  const contact = context.state.contacts.get(command.id);
  if (!contact) return refuse('contact-not-found');
  if (isEmpty(fields)) return refuse('nothing-to-update');
  if (isSealed(context, contact)) return refuse('contact-sealed');
  const { id: contact_id, subject_key_id } = contact;
  return accept(allowed, event('ContactUpdated', { contact_id, subject_key_id, ...fields }));
};

export const deleteContact: Decider<ById> = (context, { id }) => {
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

export const erasedView = view('Erased', {
  ...deletedView.members,
  erased: flag<true>({ example: true }),
});
export type Erased = Shown<typeof erasedView>;

export const contactRedemptionView = view('RedeemedContact', {
  contact: contactView,
  api_key: text('A key of the contact, shown only here'),
});
type ContactRedemption = Shown<typeof contactRedemptionView>;

const answers = recordAnswers('contacts', presentContact);

/**
 * The context for the answer: a placeholder that redeemed itself with its own key sees it as the new user, and the
 * time when the placeholder was last seen counts for the new user. Presence moves only after the answer is made.
 */
function swappedContext(context: Context, command: RedeemContact): Context {
  const { current_user_id, new_user_id } = command;
  const { caller, lastOnline } = context;
  const user_id = caller.user_id === current_user_id ? new_user_id : caller.user_id;
  return {
    ...context,
    caller: { ...caller, user_id },
    lastOnline: (id) =>
      id === new_user_id
        ? Math.max(lastOnline(new_user_id), lastOnline(current_user_id))
        : lastOnline(id),
  };
}

export const contactCommands = namedCommands({
  CreateContact: decidedBy(createContact, {
    generate: (fresh) => ({
      subject_key_id: fresh.subjectKey(),
      invite_id: fresh.id(PREFIX.invite),
      ...fresh.code(),
    }),
    answer: answers.created('ContactCreated', 'contact_id'),
  }),

  UpdateContact: answers.update(updateContact),

  DeleteContact: deletion(deleteContact),

  EraseContact: decidedBy<EraseContact, Erased>(eraseContact, {
    answer: (_, { id }) => ({ id, deleted: true, erased: true }),
  }),

  RedeemContact: decidedBy<RedeemContact, ContactRedemption>(redeemContact, {
    generate: freshApiKey,
    answer: (context, command) => ({
      contact: answers.byId(swappedContext(context, command), command.new_user_id),
      api_key: context.masked ? MASKED : command.fresh.value,
    }),
  }),

  EndContactCode: decidedBy<EndContactCode, null>(endContactCode, {
    answer: () => null,
  }),
});
