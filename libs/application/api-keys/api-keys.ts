import { type ApiKeyView, listApiKeys } from '../../domain/api-keys/reads.js';
import { stateQuery } from '../drive-query.js';

export const ListApiKeys = stateQuery<{ user_id: string }, ApiKeyView[]>(
  'ListApiKeys',
  (context, { user_id }) => listApiKeys(context, user_id),
);
