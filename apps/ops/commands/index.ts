import type { OpsCommand } from '../command.js';
import { compare } from './compare.js';
import { explain } from './explain.js';
import { history } from './history.js';
import { replay } from './replay.js';
import { verifying } from './verify.js';
import { who } from './who.js';

/** All subcommands, in the order in which help shows them. */
export const COMMANDS: readonly OpsCommand[] = [replay, history, compare, explain, who, verifying];
