import type { OperationTexts } from './operation-text.js';
import { CODE, IDENTITY, PAGES } from './phrases.js';

/** Operations on contacts. */
export const CONTACTS_TEXTS: OperationTexts = {
  'get contacts/get/{contact_id}': {
    summary: 'Read a contact',
    description: 'Without the right 403, whether or not there is such a contact.',
  },
  'post contacts/list': { summary: 'List contacts', description: PAGES },
  'post contacts/create': {
    summary: 'Make a contact',
    description:
      'Seed phrase and entropy derive id and addresses and are then forgotten. The contact joins Group ' +
      'for All. A redeem code is shown to its creator and the owner.',
  },
  'post contacts/update': {
    summary: 'Change a contact',
    description:
      'People may change their own name, avatar, email, notifications_url, public_note and address.',
  },
  'post contacts/delete': {
    summary: 'Delete a contact',
    description:
      'Its memberships, keys and the grants to it go too; groups it owned pass to the owner.',
  },
  'post contacts/erase': {
    summary: 'Forget a person',
    description:
      'Owner only. The contact is deleted, and the key that its personal data (name, email, avatar, notes, ' +
      'addresses, urls) lies under is destroyed: it reads [erased] ever after, in every past event and ' +
      'state, in names of keys and in the spawn note that the service copied. The id may be one that the ' +
      'person had before, also of a contact deleted earlier; all keys it ever had go. Hashes, digests and ' +
      'proofs stay valid. Not covered: the user id, what others wrote elsewhere, copies made before.',
  },
  'post contacts/redeem': {
    summary: 'Take over a placeholder contact with its code',
    description:
      `${CODE} The answer holds a key for the new id, shown once. It ends no later than the key that the ` +
      'call was made with.',
  },
  'post contacts/helpers/generate-auto-login-link': {
    summary: 'A link that signs a contact in',
    description: 'Needs a live key of that contact. The link is neither stored nor logged.',
  },
  'post contacts/helpers/generate-crypto-identity': {
    summary: 'Derive an identity from a phrase or from entropy, or make a random one',
    description: IDENTITY,
  },
};
