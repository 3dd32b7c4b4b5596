import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Fence } from './markdown.js';

/** Printed after every block, so that each one's output can be told apart. */
const SEPARATOR = '\u001E';

/** Started by a program without a shell around it, bash reads the system's settings, which stop at unset variables. */
const BASH_ARGS = ['--norc', '-euo', 'pipefail', '-c'];

/** Runs blocks in one bash, as somebody would paste them; answers what each one printed. */
export async function paste(
  blocks: readonly string[],
  env: Record<string, string>,
): Promise<string[]> {
  const script = blocks.map((block) => `${block}\nprintf '${SEPARATOR}'\n`).join('');
  const { stdout, stderr } = await promisify(execFile)('bash', BASH_ARGS.concat(script), {
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe('');
  return stdout.split(SEPARATOR).slice(0, -1);
}

/** Shell blocks with the text block that follows each of them. */
export function steps(blocks: readonly Fence[]): { command: string; output: string }[] {
  return blocks.flatMap(({ language, text }, at) => {
    const next = blocks[at + 1];
    return language === 'sh'
      ? [{ command: text, output: next?.language === 'text' ? next.text : '' }]
      : [];
  });
}
