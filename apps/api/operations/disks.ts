import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on disks. */
export const DISKS_TEXTS: OperationTexts = {
  'get disks/get/{disk_id}': { summary: 'Read a disk' },
  'post disks/list': { summary: 'List disks', description: PAGES },
  'post disks/create': {
    summary: 'Make a disk with its root and trash folder',
    description:
      'Group for All gets VIEW, UPLOAD and EDIT on the root folder unless configured otherwise.',
  },
  'post disks/update': {
    summary: 'Change a disk',
    description: 'The type of a disk cannot change.',
  },
  'post disks/delete': {
    summary: 'Delete a disk with all its folders and grants',
    description: 'What is stored in an external bucket is not touched.',
  },
};
