#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { join } from 'node:path';

/**
 * The installed command. It runs on any Node.js from version 20 on and starts the program with the Node.js that was
 * installed with it.
 */

interface Program {
  readonly file: string;
  readonly meaning: string;
  /** Of Node.js. */
  readonly options?: readonly string[];
}

/**
 * Fewer collections of short-lived objects; helpers of the collector for the other processors only, so that they take
 * no time from requests.
 */
const FOR_SERVERS = ['--max-semi-space-size=64', '--v8-pool-size=0'];
const PROGRAMS: Readonly<Record<string, Program>> = {
  serve: {
    file: 'api/main.js',
    meaning: 'Serve the API and the console; settings are environment variables',
    options: FOR_SERVERS,
  },
  worker: {
    file: 'worker/main.js',
    meaning: 'Write derived stores, send webhooks and remove expired items',
    options: FOR_SERVERS,
  },
  ops: { file: 'ops/main.js', meaning: 'Run a command of operators or auditors; see ops --help' },
  demo: { file: 'demo/main.js', meaning: 'Create and serve an organization with a history' },
};

const EXIT_USAGE = 2;
/** The signals that end a program; it decides how. It may get them from its terminal or supervisor too. */
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The bundled Node.js, or null where its installation was prevented. */
function bundledNode(): string | null {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    return null;
  }
}

function usage(): string {
  const lines = Object.entries(PROGRAMS).map(
    ([name, { meaning }]) => `  ${name.padEnd(8)}${meaning}`,
  );
  return ['Usage: drive-workspace <command> [options]', '', ...lines, ''].join('\n');
}

function run({ file, options = [] }: Program, args: readonly string[]): void {
  const program = join(import.meta.dirname, '..', file);
  const flags = ['--disable-warning=ExperimentalWarning', ...options];
  const child = spawn(bundledNode() ?? process.execPath, [...flags, program, ...args], {
    stdio: 'inherit',
  });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Node.js could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('close', (code, signal) =>
    process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)),
  );
}

const [name = '', ...args] = process.argv.slice(2);
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
if (program) run(program, args);
else {
  const is_asked = ['--help', '-h', 'help'].includes(name);
  (is_asked ? console.log : console.error)(usage());
  process.exitCode = is_asked ? 0 : EXIT_USAGE;
}
