import type { OperationTexts } from './operation-text.js';
import { IDENTITY, PAGES } from './phrases.js';

const ADMIN = 'Needs a key that administers the factory.';

const CLOSED = 'In closed mode a factory key is needed.';

/** Operations on onboarding, gift cards and identities. */
export const FACTORY_TEXTS: OperationTexts = {
  'post /v1/factory/quickstart': {
    summary: 'Make an organization with admin, members, keys and (if wanted) a disk',
    description: `The only time the key values are shown. The same secret_entropy gives the same user. ${CLOSED}`,
  },
  'get /v1/factory/snapshot': {
    summary: 'All that the factory knows, for debugging',
    description: `${ADMIN} 403 in production. Gift cards, and the organizations there are; secrets masked.`,
  },
  'post /v1/factory/helpers/migrate': {
    summary: 'Bring stored data into the form of this release',
    description:
      `${ADMIN} Changes nothing: stored events are read in the form in which they were written, and what ` +
      'is derived from them is made anew when it is needed. The body is not looked at.',
  },
  'post /v1/factory/helpers/generate-crypto-identity': {
    summary: 'Derive an identity from a phrase or from entropy, or make a random one',
    description: `${IDENTITY} ${CLOSED}`,
  },
  'post /v1/factory/giftcards/spawnorg/create': {
    summary: 'Make a gift card that spawns an organization',
    description: `${CLOSED} The credentials of its disk are shown to factory admins only.`,
  },
  'post /v1/factory/giftcards/spawnorg/upsert': { summary: 'The same as create' },
  'post /v1/factory/giftcards/spawnorg/redeem': {
    summary: 'Spawn an organization from a gift card, once',
    description:
      `The id of the card is the proof. ${CLOSED} The answer holds the spawn code, which activates the ` +
      'organization at organization/redeem. Email and external_id become those of the organization. 412 ' +
      'only if the card was changed again and again meanwhile.',
  },
  'get /v1/factory/giftcards/spawnorg/get/{giftcard_id}': {
    summary: 'Read a gift card',
    description: ADMIN,
  },
  'post /v1/factory/giftcards/spawnorg/list': {
    summary: 'List gift cards',
    description: `${ADMIN} \`filters\` looks into notes. ${PAGES}`,
  },
  'post /v1/factory/giftcards/spawnorg/update': {
    summary: 'Change a gift card',
    description: `${ADMIN} A disk given takes the place of the old one as a whole, null removes it.`,
  },
  'post /v1/factory/giftcards/spawnorg/delete': {
    summary: 'Delete a gift card',
    description: `${ADMIN} An organization that it spawned stays.`,
  },
};
