import { family } from '../foundation/family.js';
import { apiKeyCommands } from './commands.js';
import { type ApiKeyEvents, apiKeyEvolvers, apiKeySchemas, apiKeySummaries } from './events.js';
import { apiKeyReads } from './reads.js';
import { apiKeyFamily, apiKeyRefusals } from './record.js';

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
