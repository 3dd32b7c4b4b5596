import { family } from '../foundation/family.js';
import { purchaseCommands } from './definitions.js';
import { type PurchaseEvents, purchaseSchemas } from './events.js';
import { purchaseEvolvers } from './evolve.js';
import { purchaseReads } from './reads.js';
import { purchaseFamily, purchaseRefusals } from './record.js';
import { purchaseSummaries } from './summaries.js';

/** What the organization buys from vendors. */
export const purchases = family<PurchaseEvents>()({
  records: { purchases: purchaseFamily },
  events: purchaseSchemas,
  evolve: purchaseEvolvers,
  summaries: purchaseSummaries,
  refusals: purchaseRefusals,
  commands: purchaseCommands,
  reads: { purchases: purchaseReads },
});
