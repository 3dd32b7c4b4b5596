import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands/index.js';
import { EXIT, Failure } from './failure.js';
import { ServerSource } from './server-source.js';
import type { Source } from './source.js';
import { StoreSource } from './store-source.js';
import type { Terminal } from './terminal.js';

interface Where {
  readonly drive: string;
  readonly url?: string;
  readonly tokenFile?: string;
  readonly dataDir?: string;
}

/** Runs the command line. @returns the exit code */
export async function runOps(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('ops')
    .description('Questions of operators and auditors, to a running server or to a data folder.')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const open = (command: Command): Promise<Source> => openSource(command.opts<Where>(), terminal);
  for (const add of COMMANDS) add(program, { terminal, open });
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    // A file named on the command line that is not there.
    const is_missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!(error instanceof Failure) && !is_missing) throw error;
    terminal.err(`${(error as Error).message}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.usage;
  }
}

async function openSource(where: Where, { env }: Terminal): Promise<Source> {
  const { drive, url, dataDir = env.DATA_DIR ?? './data' } = where;
  if (url !== undefined) return new ServerSource(url, drive, tokenOf(where, env));
  return StoreSource.open(dataDir, env.MASTER_KEY, drive);
}

/** Never an argument: those are seen by every user of the machine. */
function tokenOf({ tokenFile }: Where, env: Terminal['env']): string {
  if (tokenFile === undefined) {
    if (env.DRIVE_TOKEN) return env.DRIVE_TOKEN;
    throw new Failure('--url needs a token: set DRIVE_TOKEN or give --token-file.', EXIT.usage);
  }
  try {
    return readFileSync(tokenFile, 'utf8').trim();
  } catch {
    throw new Failure(`${tokenFile} cannot be read.`, EXIT.usage);
  }
}
