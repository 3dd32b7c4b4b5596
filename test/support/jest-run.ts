import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

export function sum(counts: readonly Count[]): Count {
  return counts.reduce(
    (all, { passed, failed }) => ({ passed: all.passed + passed, failed: all.failed + failed }),
    { passed: 0, failed: 0 },
  );
}

/** Counts the tests of a run of Jest, which gets these arguments among its own and tells whether it succeeded. */
export async function countJest(
  run: (args: readonly string[]) => boolean | Promise<boolean>,
): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), 'jest-result-'));
  const file = join(folder, 'result.json');
  try {
    const succeeded = await run(['--json', `--outputFile=${file}`]);
    const result = JSON.parse(readFileSync(file, 'utf8'));
    // A suite that could not even be loaded has no failed test of its own.
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    return { passed: result.numPassedTests, failed: succeeded ? failed : Math.max(1, failed) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
