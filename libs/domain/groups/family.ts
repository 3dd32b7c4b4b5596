import { family } from '../foundation/family.js';
import { groupCommands, inviteCommands } from './definitions.js';
import { type GroupEvents, groupEvolvers, groupSchemas, groupSummaries } from './events.js';
import { groupReads } from './reads.js';
import { inviteReads } from './invites-reads.js';
import { groupFamily, groupRefusals, inviteFamily } from './record.js';

/** Groups of users, and the invites that make members. */
export const groups = family<GroupEvents>()({
  records: { groups: groupFamily, invites: inviteFamily },
  events: groupSchemas,
  evolve: groupEvolvers,
  summaries: groupSummaries,
  refusals: groupRefusals,
  commands: { ...groupCommands, ...inviteCommands },
  reads: { groups: groupReads, invites: inviteReads },
});
