import { family } from '../foundation/family.js';
import { diskCommands } from './commands.js';
import { type DiskEvents, diskEvolvers, diskSchemas, diskSummaries } from './events.js';
import { diskReads } from './reads.js';
import { diskFamily, diskRefusals } from './record.js';

/** Disks with their root folders. */
export const disks = family<DiskEvents>()({
  records: { disks: diskFamily },
  events: diskSchemas,
  evolve: diskEvolvers,
  summaries: diskSummaries,
  refusals: diskRefusals,
  commands: diskCommands,
  reads: { disks: diskReads },
});
