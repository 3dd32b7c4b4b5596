import { spawnSync } from 'node:child_process';
import { type Count, countJest, sum } from './jest-run.js';

/**
 * Runs every check of the repository, also after one has failed, and ends with the line
 * "N passed, N failed": a step counts as one, Jest with each of its tests. Arguments go to Jest.
 */

const STEPS = ['format:check', 'oxlint', 'typecheck', 'build', 'build:go'] as const;

function script(name: string, ...args: string[]): boolean {
  console.log(`\n▶ ${name}`);
  const { status } = spawnSync('npm', ['run', '--silent', name, '--', ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) console.log(`✗ ${name} failed`);
  return status === 0;
}

function step(name: string): Count {
  return script(name) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function jest(args: readonly string[]): Promise<Count> {
  try {
    return await countJest((own) => script('jest', ...own, ...args));
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

/** The interface's specs on other stores than the embedded ones, not all on each; counts what the script counts. */
function combinations(): Count {
  console.log('\n▶ test:combinations');
  const args = ['run', '--silent', 'test:combinations', '--', '--short'];
  const { status, stdout } = spawnSync('npm', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  console.log(stdout);
  const [, passed, failed] =
    /^(\d+) passed, (\d+) failed\s*$/m.exec(stdout.slice(stdout.lastIndexOf('\n\n'))) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1 };
  return {
    passed: Number(passed),
    failed: status === 0 ? Number(failed) : Math.max(1, Number(failed)),
  };
}

const asked = process.argv.slice(2);
const counts = [
  ...STEPS.map(step),
  await jest(asked),
  // Who asks for some specs means Jest's.
  ...(asked.length > 0 ? [] : [combinations()]),
];
const { passed, failed } = sum(counts);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
