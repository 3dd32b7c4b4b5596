import { family } from '../foundation/family.js';
import { diskCommands } from './definitions.js';
import { type DiskEvents, diskSchemas } from './events.js';
import { diskEvolvers } from './evolve.js';
import { diskReads } from './reads.js';
import { diskFamily, diskRefusals } from './record.js';
import { diskSummaries } from './summaries.js';

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
