import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Count, countJest, readSummary, sum, summary } from './jest-run.js';
import { leftOut } from './needs.js';

/**
 * Runs every check of the repository, also after one has failed, and ends with the line
 * "N passed, N failed": a step counts as one, Jest with each of its tests. Lines before it name what was left out
 * because this machine lacks what it needs; with `CI=true` that fails instead. Arguments go to Jest.
 */

/** End-to-end specs run in a few suites instead of one each: see test/together. */
const TOGETHER = [
  '--testMatch',
  ...['**/*.spec.ts', '!**/test/e2e/**', '**/test/together/part-*.ts'],
];

const STEPS = ['format:check', 'oxlint', 'typecheck', 'build'] as const;

/** The scripts that run now: they end with this, and so does all that they started. */
const running = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const group of running) process.kill(-group, signal);
    process.exit(1);
  });

/** How a script went, and what it said if that was to be kept. */
interface Went {
  readonly succeeded: boolean;
  readonly output: string;
}

async function script(name: string, args: readonly string[] = [], keeps = false): Promise<Went> {
  console.log(`\n▶ ${name}`);
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    stdio: ['ignore', keeps ? 'pipe' : 'inherit', 'inherit'],
    // A group of its own, which can be told to end as a whole.
    detached: true,
  });
  if (child.pid !== undefined) running.add(child.pid);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [status] = await once(child, 'close');
  if (child.pid !== undefined) running.delete(child.pid);
  if (status !== 0) console.log(`✗ ${name} failed`);
  return { succeeded: status === 0, output };
}

async function step(name: string): Promise<Count> {
  const { succeeded } = await script(name);
  return succeeded ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @param name a script that runs Jest */
async function jest(name: string, args: readonly string[] = []): Promise<Count> {
  try {
    return await countJest(async (own) => (await script(name, [...own, ...args])).succeeded);
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

/** The interface's specs on other stores than the embedded ones; counts what the script counts. */
async function combinations(): Promise<Count> {
  const { succeeded, output } = await script('test:combinations', [], true);
  const count = readSummary(output) ?? { passed: 0, failed: 1 };
  return succeeded ? count : { ...count, failed: Math.max(1, count.failed) };
}

/** Tests of the image, with a line that tells how many of them ran. */
async function image(): Promise<Count> {
  const count = await jest('test:image');
  const { containers = 0 } = count.left_out ?? {};
  console.log(`test:image: ${count.passed + count.failed} tests ran, ${containers} left out`);
  return count;
}

const asked = process.argv.slice(2);
// Compose's library is only had with Go, so whoever has that builds everything ahead.
const steps = leftOut().includes('compose') ? STEPS : [...STEPS, 'build:go'];
// At one time: most of them use one processor only.
const counts: Count[] = await Promise.all(steps.map(step));
counts.push(await jest('jest', asked.length > 0 ? asked : TOGETHER));
// Who asks for some specs means Jest's.
if (asked.length === 0) counts.push(await combinations(), await image());
const all = sum(counts);
console.log(`\n${summary(all)}`);
process.exitCode = all.failed === 0 ? 0 : 1;
