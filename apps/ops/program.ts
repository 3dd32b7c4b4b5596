import { Command, CommanderError } from 'commander';
import type { OpsCommand } from './command.js';
import { COMMANDS } from './commands/index.js';
import { EXIT, Failure, failureOf } from './failure.js';
import type { Source } from './source.js';
import type { StoreOptions } from './stores.js';
import { harmless, type Terminal } from './output/terminal.js';

interface Where extends StoreOptions {
  readonly drive: string;
  readonly url?: string;
  readonly tokenFile?: string;
}

/** Runs the command line. @returns the exit code */
export async function runOps(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = programOf(await commandsFor(argv), terminal);
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (thrown) {
    const error = failureOf(thrown);
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (!(error instanceof Failure)) throw error;
    terminal.err(`${harmless(error.message)}\n`);
    return error.exit_code;
  }
}

/** The named command; without one all of them, for help and suggestions. */
async function commandsFor([name = '']: readonly string[]): Promise<readonly OpsCommand[]> {
  const named = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS);
  return Promise.all(named.map((load) => load()));
}

export function programOf(commands: readonly OpsCommand[], terminal: Terminal): Command {
  const program = new Command('ops')
    .description(
      'Commands of operators and auditors for a running server or the stores themselves.',
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const open = (command: Command): Promise<Source> => openSource(command.opts<Where>(), terminal);
  for (const add of commands) add(program, { terminal, open });
  return program;
}

/** The modules for servers and for stores are loaded separately: neither needs the other. */
async function openSource(where: Where, { env }: Terminal): Promise<Source> {
  const { drive, url } = where;
  if (url !== undefined) {
    const { serverOf } = await import('./server-source.js');
    return serverOf({ ...where, url }, env);
  }
  const { StoreSource } = await import('./store-source.js');
  const { settingsOf } = await import('./stores.js');
  return StoreSource.open(settingsOf(where, env), drive);
}
