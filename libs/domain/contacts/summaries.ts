import { changed, type Summaries } from '../foundation/summary-context.js';
import type { ContactEvents } from './events.js';

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
