import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on purchases. */
export const PURCHASES_TEXTS: OperationTexts = {
  'get purchases/get/{purchase_id}': {
    summary: 'Read a purchase',
    description: 'For its vendor and holders of VIEW.',
  },
  'post purchases/list': {
    summary: 'List purchases: all with VIEW, else those one is the vendor of',
    description: PAGES,
  },
  'post purchases/create': { summary: 'Make a purchase' },
  'post purchases/update': {
    summary: 'Change a purchase',
    description:
      'Its vendor may change status, URLs, vendor_notes, tracer, external_id and external_payload, and ' +
      'nothing else in the same call; all else takes EDIT.',
  },
  'post purchases/delete': { summary: 'Delete a purchase' },
};
