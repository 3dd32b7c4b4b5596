import type { EventSchemas } from '../kernel/event.js';
import { forEach, type Steps } from '../kernel/steps.js';
import type { Sealed } from '../kernel/sealed.js';
import { type ContactFields, PERSONAL_FIELDS } from './record.js';
import { isUnder } from './person.js';
import type { DriveState } from '../foundation/state.js';
import type { Evolvers } from '../foundation/evolver.js';
import { membership } from '../relations/membership.js';
import { superswap } from '../relations/superswap.js';
import {
  removeGrantsOn,
  removeGrantsTo,
  removeInvites,
  removeRecord,
} from '../relations/cascade.js';
import { bareContact } from '../relations/bare-contact.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

export interface ContactEvents {
  ContactCreated: ContactFields & {
    contact_id: string;
    subject_key_id: string;
    from_placeholder_user_id: string;
    redeem_code: Sealed<string>;
    redeem_digest: string;
    code_ends_on_sign_in: boolean;
    created_by: string | null;
    /** MEMBER invite in the everyone group; null if none was created. */
    everyone_invite_id: string | null;
    everyone_inviter_id: string | null;
  };
  /** A member of a new organization: contact, everyone invite and api key in one. */
  MemberJoined: {
    contact_id: string;
    subject_key_id: string;
    name: Sealed<string>;
    everyone_invite_id: string;
    api_key_id: string;
    api_key_digest: string;
    api_key_last4: string;
  };
  ContactUpdated: { contact_id: string; subject_key_id: string } & Partial<ContactFields>;
  ContactDeleted: { contact_id: string };
  /** A person was erased. Every process that handles this event destroys the keys named in it. */
  ContactErased: {
    /** The id in the command: a current or former id of the person. */
    contact_id: string;
    /** The person's remaining contacts, which are deleted. */
    contact_ids: string[];
    /** All keys under which the person's data was ever sealed. */
    subject_key_ids: string[];
  };
  /** A placeholder was redeemed: superswap, and the code is used up. */
  ContactRedeemed: {
    current_user_id: string;
    new_user_id: string;
    subject_key_id: string;
    /** Null: unchanged. */
    public_note: Sealed<string> | null;
  };
  /** The first sign-in by signature ended the contact's redeem code. */
  ContactCodeEnded: { contact_id: string };
}

export const contactSchemas: EventSchemas<ContactEvents> = {
  // Version 1 stored external_id and external_payload in clear.
  ContactCreated: {
    version: 2,
    personal: PERSONAL_FIELDS,
    secret: ['redeem_code'],
    hidden: ['redeem_digest'],
  },
  MemberJoined: { version: 1, personal: ['name'], hidden: ['api_key_digest'] },
  ContactUpdated: { version: 2, personal: PERSONAL_FIELDS },
  ContactDeleted: { version: 1 },
  ContactErased: { version: 1 },
  ContactRedeemed: { version: 1, personal: ['public_note'] },
  ContactCodeEnded: { version: 1 },
};

function joinEveryone(
  state: DriveState,
  invite_id: string,
  inviter_id: string,
  contact_id: string,
  at_ms: number,
): void {
  const group_id = state.organization.default_everyone_group_id;
  state.invites.put(membership(invite_id, group_id, inviter_id, contact_id, 'MEMBER', at_ms));
}

/** Deletes a contact with its dependent records. */
function* deleteContact(state: DriveState, contact_id: string, at_ms: number): Steps {
  yield* removeInvites(state, [...state.invites.by('invitee', contact_id)]);
  for (const key_id of [...state.api_keys.by('user', contact_id)]) {
    yield* removeRecord(state, state.api_keys, key_id);
    yield;
  }
  yield* removeGrantsTo(state, contact_id);
  yield* removeGrantsOn(state, contact_id);
  const owner = state.organization.owner_id;
  yield* forEach(state.groups.where('owner', contact_id), (group) =>
    state.groups.put({ ...group, owner, last_modified_at: at_ms }),
  );
  const contact = state.contacts.get(contact_id);
  if (!contact) return;
  state.subjects.rememberDeleted(contact.subject_key_id, [contact.id, ...contact.past_user_ids]);
  state.contacts.remove(contact_id);
}

export const contactEvolvers: Evolvers<ContactEvents> = {
  ContactCreated(state, data, { timestamp_ms }) {
    const { contact_id, everyone_invite_id, everyone_inviter_id, ...fields } = data;
    state.contacts.put({
      ...fields,
      id: contact_id,
      past_user_ids: [],
      created_at: timestamp_ms,
      updated_at: timestamp_ms,
    });
    if (everyone_invite_id && everyone_inviter_id)
      joinEveryone(state, everyone_invite_id, everyone_inviter_id, contact_id, timestamp_ms);
  },

  MemberJoined(state, data, { timestamp_ms }) {
    const { contact_id, name } = data;
    const contact = bareContact(contact_id, data.subject_key_id, timestamp_ms);
    state.contacts.put({ ...contact, name });
    const owner_id = state.organization.owner_id;
    joinEveryone(state, data.everyone_invite_id, owner_id, contact_id, timestamp_ms);
    state.api_keys.put({
      id: data.api_key_id,
      digest: data.api_key_digest,
      last4: data.api_key_last4,
      user_id: contact_id,
      created_by: null,
      name,
      private_note: null,
      begins_at: timestamp_ms,
      expires_at: -1,
      is_revoked: false,
      external_id: null,
      external_payload: null,
      created_at: timestamp_ms,
    });
  },

  ContactUpdated(state, { contact_id, subject_key_id: _, ...fields }, { timestamp_ms }) {
    const contact = state.contacts.get(contact_id);
    if (contact) state.contacts.put({ ...contact, ...fields, updated_at: timestamp_ms });
  },

  ContactDeleted: (state, { contact_id }, { timestamp_ms }) =>
    deleteContact(state, contact_id, timestamp_ms),

  *ContactErased(state, { contact_ids, subject_key_ids }, { timestamp_ms }) {
    for (const contact_id of contact_ids) yield* deleteContact(state, contact_id, timestamp_ms);
    state.subjects.erase(subject_key_ids);
    // Records with fields copied from the contact are touched: they are unchanged, but now displayed as erased.
    const key_ids = new Set(subject_key_ids);
    const { organization } = state;
    if (isUnder(organization, key_ids)) state.organizations.put({ ...organization });
    yield* forEach([...state.api_keys.values()], (key) => {
      if (isUnder(key, key_ids)) state.api_keys.put({ ...key });
    });
  },

  *ContactRedeemed(state, data, facts) {
    const { current_user_id, new_user_id, public_note } = data;
    yield* superswap(state, current_user_id, new_user_id, facts);
    const contact = state.contacts.get(new_user_id);
    if (!contact) return;
    state.contacts.put({
      ...contact,
      from_placeholder_user_id: current_user_id,
      public_note: public_note ?? contact.public_note,
    });
  },

  ContactCodeEnded(state, { contact_id }, { timestamp_ms }) {
    const contact = state.contacts.get(contact_id);
    if (!contact) return;
    state.contacts.put({
      ...contact,
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
      updated_at: timestamp_ms,
    });
  },
};

export const contactSummaries: Summaries<ContactEvents> = {
  ContactCreated: ({ actor, name }, { contact_id }) =>
    `${actor} added the contact ${name(contact_id)}`,

  MemberJoined: ({ name }, { contact_id }) => `${name(contact_id)} joined the organization`,

  ContactUpdated: (context, { contact_id }) => changed(context, 'contact', contact_id),

  ContactDeleted: ({ actor, name }, { contact_id }) =>
    `${actor} deleted the contact ${name(contact_id)}`,

  ContactErased: ({ actor }, { contact_id }) => `${actor} erased the person ${contact_id}`,

  ContactRedeemed: ({ name }, { current_user_id, new_user_id }) =>
    `${name(new_user_id)} took over the contact ${current_user_id} with its code`,

  ContactCodeEnded: ({ name }, { contact_id }) =>
    `The code of the contact ${name(contact_id)} ended`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends ContactEvents {}
}
