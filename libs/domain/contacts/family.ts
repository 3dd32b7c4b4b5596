import { family } from '../foundation/family.js';
import { contactCommands } from './commands.js';
import { type ContactEvents, contactEvolvers, contactSchemas, contactSummaries } from './events.js';
import { contactReads } from './reads.js';
import { contactFamily, contactRefusals } from './record.js';

/** People and what is known of them. */
export const contacts = family<ContactEvents>()({
  records: { contacts: contactFamily },
  events: contactSchemas,
  evolve: contactEvolvers,
  summaries: contactSummaries,
  refusals: contactRefusals,
  commands: contactCommands,
  reads: { contacts: contactReads },
});
