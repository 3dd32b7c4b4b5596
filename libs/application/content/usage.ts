import { contentUsage } from '../../domain/directory/content/usage.js';
import { stateQuery } from '../drive-query.js';

export const GetContentUsage = stateQuery('GetContentUsage', contentUsage);
