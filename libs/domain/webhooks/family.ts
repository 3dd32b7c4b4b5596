import { family } from '../foundation/family.js';
import { webhookCommands } from './commands.js';
import { type WebhookEvents, webhookEvolvers, webhookSchemas, webhookSummaries } from './events.js';
import { webhookReads } from './reads.js';
import { webhookFamily, webhookRefusals } from './record.js';

/** Addresses that are called on events. */
export const webhooks = family<WebhookEvents>()({
  records: { webhooks: webhookFamily },
  events: webhookSchemas,
  evolve: webhookEvolvers,
  summaries: webhookSummaries,
  refusals: webhookRefusals,
  commands: webhookCommands,
  reads: { webhooks: webhookReads },
});
