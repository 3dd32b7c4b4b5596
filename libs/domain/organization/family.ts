import { family, records } from '../foundation/family.js';
import { organizationCommands } from './commands.js';
import {
  type OrganizationEvents,
  organizationEvolvers,
  organizationSchemas,
  organizationSummaries,
} from './events.js';
import {
  organizationFamily,
  organizationRefusals,
  shortlinkFamily,
  superswapFamily,
} from './record.js';
import { presentOrganization, presentShortlink, presentSuperswap } from './reads.js';

/** The organization itself: its settings, its owner and what concerns all of it. */
export const organization = family<OrganizationEvents>()({
  records: { organizations: organizationFamily },
  tables: ['TABLE_INBOX', 'TABLE_AUDIT'],
  events: organizationSchemas,
  evolve: organizationEvolvers,
  summaries: organizationSummaries,
  refusals: organizationRefusals,
  commands: organizationCommands,
  reads: { organizations: { present: presentOrganization } },
});

/** Short links to places in the organization; made by its commands. */
export const shortlinks = records(
  { shortlinks: shortlinkFamily },
  { shortlinks: { present: presentShortlink } },
);

/** User ids that took the place of others; made by its commands. */
export const superswaps = records(
  { superswaps: superswapFamily },
  { superswaps: { present: presentSuperswap } },
);
