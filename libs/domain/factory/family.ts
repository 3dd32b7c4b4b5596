import { family } from '../foundation/family.js';
import { factoryCommands } from './commands.js';
import { type FactoryEvents, factoryEvolvers, factorySchemas, factorySummaries } from './events.js';
import { spawnedDriveFamily } from './record.js';

/** The drives of this installation; in the stream of the factory. */
export const factory = family<FactoryEvents>()({
  records: { spawned_drives: spawnedDriveFamily },
  of_factory: true,
  events: factorySchemas,
  evolve: factoryEvolvers,
  summaries: factorySummaries,
  commands: factoryCommands,
});
