import { family } from '../foundation/family.js';
import { giftcardCommands } from './commands.js';
import {
  type GiftcardEvents,
  giftcardEvolvers,
  giftcardSchemas,
  giftcardSummaries,
} from './events.js';
import { giftcardReads } from './reads.js';
import { giftcardFamily, giftcardRefusals } from './record.js';

/** Cards that pay for a new organization; in the stream of the factory. */
export const giftcards = family<GiftcardEvents>()({
  records: { giftcards: giftcardFamily },
  of_factory: true,
  events: giftcardSchemas,
  evolve: giftcardEvolvers,
  summaries: giftcardSummaries,
  refusals: giftcardRefusals,
  reads: { giftcards: giftcardReads },
  commands: giftcardCommands,
});
