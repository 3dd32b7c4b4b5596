import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, opened, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX, principalOf } from '../kernel/ids.js';
import type { Contact } from './record.js';
import { type ContactView, mayReadContact, presentContact } from './view.js';

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
  shows_presence: true,
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
