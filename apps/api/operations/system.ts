import type { OperationTexts } from './operation-text.js';

/** Operations on the process itself. */
export const SYSTEM_TEXTS: OperationTexts = {
  'get /': { summary: 'Says that this is the service' },
  'get /health': { summary: 'The process is alive' },
  'get /ready': {
    summary: 'The process can serve',
    description:
      '503 while a store does not answer or an organization in memory is closed; says how far read models are behind. ' +
      '`reads` and `writes` tell the two parts of the event store apart: it may show events and take none.',
  },
};
