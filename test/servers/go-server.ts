import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { goProgram, type GoProgram } from '../support/go-programs.js';

/** A server of the tests as a child of this process. */
export interface GoServer {
  readonly url: string;
  /** Where its files lie. */
  readonly folder: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Starts a server on an empty folder and a free port. It prints its URL once it serves. */
export async function startGoServer(
  name: GoProgram,
  { args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<GoServer> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const child = spawn(goProgram(name), ['-folder', folder, '-end-with-input', ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    const is_running = child.exitCode === null && child.signalCode === null;
    if (is_running && child.kill('SIGTERM')) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { promise: url, resolve, reject } = Promise.withResolvers<string>();
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ${name} ended with ${code}`)));
    // Its libraries print other lines.
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (/^\w+:\/\//.test(line)) resolve(line);
    });
    return { url: await url, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
