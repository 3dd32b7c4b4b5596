import { family } from '../foundation/family.js';
import { webhookCommands } from './definitions.js';
import { type WebhookEvents, webhookSchemas } from './events.js';
import { webhookEvolvers } from './evolve.js';
import { webhookReads } from './reads.js';
import { webhookFamily, webhookRefusals } from './record.js';
import { webhookSummaries } from './summaries.js';

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
