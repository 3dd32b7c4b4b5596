import { type ApiKeyView, listApiKeys } from '../../domain/api-keys/reads.js';
import { driveQuery } from '../drive-query.js';
import { answerFrom } from '../read-record.js';

export const ListApiKeys = driveQuery<{ user_id: string }, ApiKeyView[]>(
  'ListApiKeys',
  (drives, reader, { user_id }) =>
    answerFrom(drives, reader, (context) => listApiKeys(context, user_id)),
);
