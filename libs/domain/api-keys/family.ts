import { family } from '../foundation/family.js';
import { apiKeyCommands } from './definitions.js';
import { type ApiKeyEvents, apiKeySchemas } from './events.js';
import { apiKeyEvolvers } from './evolve.js';
import { apiKeyReads } from './reads.js';
import { apiKeyFamily, apiKeyRefusals } from './record.js';
import { apiKeySummaries } from './summaries.js';

/** Keys that users call the API with. */
export const api_keys = family<ApiKeyEvents>()({
  records: { api_keys: apiKeyFamily },
  events: apiKeySchemas,
  evolve: apiKeyEvolvers,
  summaries: apiKeySummaries,
  refusals: apiKeyRefusals,
  commands: apiKeyCommands,
  reads: { api_keys: apiKeyReads },
});
