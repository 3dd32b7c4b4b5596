import { family } from '../foundation/family.js';
import { factoryCommands } from './definitions.js';
import { type FactoryEvents, factorySchemas } from './events.js';
import { factoryEvolvers } from './evolve.js';
import { spawnedDriveFamily } from './record.js';
import { factorySummaries } from './summaries.js';

/** The drives of this installation; in the stream of the factory. */
export const factory = family<FactoryEvents>()({
  records: { spawned_drives: spawnedDriveFamily },
  of_factory: true,
  events: factorySchemas,
  evolve: factoryEvolvers,
  summaries: factorySummaries,
  commands: factoryCommands,
});
