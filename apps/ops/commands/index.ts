import type { OpsCommand } from '../command.js';
import { compare } from './compare.js';
import { doctor } from './doctor.js';
import { explain } from './explain.js';
import { exporting } from './export.js';
import { history } from './history.js';
import { importing } from './import.js';
import { migrating } from './migrate.js';
import { reindexing } from './reindex.js';
import { replay } from './replay.js';
import { verifying } from './verify.js';
import { who } from './who.js';

/** All subcommands, in the order in which help shows them. */
export const COMMANDS: readonly OpsCommand[] = [
  replay,
  history,
  compare,
  explain,
  who,
  verifying,
  exporting,
  importing,
  migrating,
  reindexing,
  doctor,
];
