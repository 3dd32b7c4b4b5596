import { family } from '../foundation/family.js';
import { labelCommands } from './commands.js';
import { type LabelEvents, labelEvolvers, labelSchemas, labelSummaries } from './events.js';
import { labelReads } from './reads.js';
import { labelFamily, labelRefusals } from './record.js';

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
