import { family } from '../foundation/family.js';
import { knownDriveCommands } from './definitions.js';
import { type KnownDriveEvents, knownDriveSchemas } from './events.js';
import { knownDriveEvolvers } from './evolve.js';
import { knownDriveReads } from './reads.js';
import { knownDriveFamily, knownDriveRefusals } from './record.js';
import { knownDriveSummaries } from './summaries.js';

/** The address book of organizations. */
export const known_drives = family<KnownDriveEvents>()({
  records: { drives: knownDriveFamily },
  events: knownDriveSchemas,
  evolve: knownDriveEvolvers,
  summaries: knownDriveSummaries,
  refusals: knownDriveRefusals,
  commands: knownDriveCommands,
  reads: { drives: knownDriveReads },
});
