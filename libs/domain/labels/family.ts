import { family } from '../foundation/family.js';
import { labelCommands } from './definitions.js';
import { type LabelEvents, labelSchemas } from './events.js';
import { labelEvolvers } from './evolve.js';
import { labelReads } from './reads.js';
import { labelFamily, labelRefusals } from './record.js';
import { labelSummaries } from './summaries.js';

/** Labels and where they are pinned. */
export const labels = family<LabelEvents>()({
  records: { labels: labelFamily },
  events: labelSchemas,
  evolve: labelEvolvers,
  summaries: labelSummaries,
  refusals: labelRefusals,
  commands: labelCommands,
  reads: { labels: labelReads },
});
