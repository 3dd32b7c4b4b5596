import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import type { ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import type { Contact } from './record.js';
import { type ContactView, mayReadContact, presentContact } from './view.js';

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
};
