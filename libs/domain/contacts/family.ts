import { family } from '../foundation/family.js';
import { contactCommands } from './definitions.js';
import { type ContactEvents, contactSchemas } from './events.js';
import { contactEvolvers } from './evolve.js';
import { contactReads } from './reads.js';
import { contactFamily, contactRefusals } from './record.js';
import { contactSummaries } from './summaries.js';

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
