import type { OperationTexts } from './operation-text.js';
import { PAGES } from './phrases.js';

/** Operations on labels. */
export const LABELS_TEXTS: OperationTexts = {
  'get labels/get/{label_id_or_value}': {
    summary: 'Read a label by its id or its value',
    description: 'Without the right 403, whether or not there is such a label.',
  },
  'post labels/list': {
    summary: 'List labels, or those whose value begins with a text',
    description: PAGES,
  },
  'post labels/create': { summary: 'Make a label' },
  'post labels/update': {
    summary: 'Change a label',
    description: 'A new value shows on all records at once.',
  },
  'post labels/delete': {
    summary: 'Delete a label',
    description: 'It is taken off every record it was pinned on.',
  },
  'post labels/pin': {
    summary: 'Pin a label on a record, or take it away',
    description:
      'Takes EDIT on the label and on the record: a directory permission on files and folders, a system ' +
      'permission on all others. What is so already stays so, without an event.',
  },
};
