import { family } from '../foundation/family.js';
import { knownDriveCommands } from './commands.js';
import {
  type KnownDriveEvents,
  knownDriveEvolvers,
  knownDriveSchemas,
  knownDriveSummaries,
} from './events.js';
import { knownDriveReads } from './reads.js';
import { knownDriveFamily, knownDriveRefusals } from './record.js';

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
