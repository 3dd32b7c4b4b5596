import { family } from '../foundation/family.js';
import { purchaseCommands } from './commands.js';
import {
  type PurchaseEvents,
  purchaseEvolvers,
  purchaseSchemas,
  purchaseSummaries,
} from './events.js';
import { purchaseReads } from './reads.js';
import { purchaseFamily, purchaseRefusals } from './record.js';

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
