import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on the address book. */
export const DRIVES_TEXTS: OperationTexts = {
  'get drives/get/{drive_id}': {
    summary: 'Read an organization of the address book',
    description: 'Without the right 403, whether or not there is such a record.',
  },
  'post drives/list': {
    summary: 'List the organizations known to this one, itself included',
    description: PAGES,
  },
  'post drives/create': {
    summary: 'Put an organization into the address book',
    description:
      'Without id it is DriveID_ and the principal, which may be used anew after a deletion. ' +
      'Without host_url it is https://{icp_principal}.icp0.io.',
  },
  'post drives/update': {
    summary: 'Change an organization of the address book',
    description:
      'Renaming the own record renames the organization; its principal cannot change. host_url null ' +
      'goes back to the default.',
  },
  'post drives/delete': {
    summary: 'Take an organization out of the address book',
    description: 'The own record stays.',
  },
};
