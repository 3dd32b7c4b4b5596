import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands/index.js';
import { EXIT, Failure, failureOf } from './failure.js';
import { serverOf } from './server-source.js';
import type { Source } from './source.js';
import { StoreSource } from './store-source.js';
import { settingsOf, type StoreOptions } from './stores.js';
import type { Terminal } from './terminal.js';

interface Where extends StoreOptions {
  readonly drive: string;
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Runs the command line. @returns the exit code */
export async function runOps(argv: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('ops')
    .description(
      'What operators and auditors ask and do, with a running server or with the stores themselves.',
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const open = (command: Command): Promise<Source> => openSource(command.opts<Where>(), terminal);
  for (const add of COMMANDS) add(program, { terminal, open });
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (thrown) {
    const error = failureOf(thrown);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    // A file named on the command line that is not there.
    const is_missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!(error instanceof Failure) && !is_missing) throw error;
    terminal.err(`${(error as Error).message}\n`);
    return error instanceof Failure ? error.exit_code : EXIT.usage;
  }
}

async function openSource(where: Where, { env }: Terminal): Promise<Source> {
  const { drive, url } = where;
  if (url !== undefined) return serverOf({ ...where, url }, env);
  return StoreSource.open(settingsOf(where, env), drive);
}
