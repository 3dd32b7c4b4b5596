import { type ContentUsage, contentUsage } from '../../domain/directory/content/usage.js';
import { driveQuery } from '../drive-query.js';
import { answerFrom } from '../read-record.js';

export const GetContentUsage = driveQuery<object, ContentUsage>(
  'GetContentUsage',
  (drives, reader) => answerFrom(drives, reader, contentUsage),
);
