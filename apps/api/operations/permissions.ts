import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on grants. */
export const PERMISSIONS_TEXTS: OperationTexts = {
  'get permissions/directory/get/{directory_permission_id}': {
    summary: 'Read a grant on a folder or file',
    description: '404 also for callers who may not read it.',
  },
  'post permissions/directory/list': {
    summary: 'List the grants placed on a folder or file',
    description: PAGES,
  },
  'post permissions/directory/create': {
    summary: 'Grant permissions on a folder or file',
    description:
      'Everybody but the owner can only give what they hold, no longer and no deeper. Without grantee a ' +
      'placeholder with a redeem code is made.',
  },
  'post permissions/directory/update': { summary: 'Change a grant on a folder or file' },
  'post permissions/directory/delete': { summary: 'Revoke a grant on a folder or file' },
  'post permissions/directory/check': {
    summary: 'What a grantee effectively holds on a folder or file',
    description:
      'Inheritance and groups included. An unknown resource answers like one without grants.',
  },
  'post permissions/directory/redeem': {
    summary: 'Claim a grant for a user with its code',
    description: 'The user need not be the caller.',
  },
  'get permissions/system/get/{system_permission_id}': {
    summary: 'Read a grant on a table or record',
    description: '404 also for callers who may not read it.',
  },
  'post permissions/system/list': {
    summary: 'List grants on tables and records that the caller may read',
    description: PAGES,
  },
  'post permissions/system/create': {
    summary: 'Grant permissions on a table or record',
    description: 'Everybody but the owner can only give what they hold, and no longer.',
  },
  'post permissions/system/update': { summary: 'Change a grant on a table or record' },
  'post permissions/system/delete': { summary: 'Revoke a grant on a table or record' },
  'post permissions/system/check': {
    summary: 'What a grantee effectively holds on a table or record',
    description: 'Grants on a table reach all its records.',
  },
  'post permissions/system/redeem': {
    summary: 'Claim a grant for a user with its code',
    description: 'The user need not be the caller.',
  },
};
