import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Need, needOf, NEEDS, saysWhatIsMissing } from './needs.js';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Tests that were not run because the machine lacks what they need. */
  readonly left_out?: LeftOut;
}
export type LeftOut = { readonly [need in Need]?: number };

export function sum(counts: readonly Count[]): Required<Count> {
  return counts.reduce<Required<Count>>(
    (all, { passed, failed, left_out = {} }) => ({
      passed: all.passed + passed,
      failed: all.failed + failed,
      left_out: added(all.left_out, left_out),
    }),
    { passed: 0, failed: 0, left_out: {} },
  );
}

function added(one: LeftOut, other: LeftOut): LeftOut {
  const all: Partial<Record<Need, number>> = { ...one };
  for (const [need, tests] of Object.entries(other) as [Need, number][])
    all[need] = (all[need] ?? 0) + tests;
  return all;
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
    return {
      passed: result.numPassedTests,
      failed: succeeded ? failed : Math.max(1, failed),
      left_out: leftOutOf(result),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** As far as is looked at here. */
interface Result {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
    }[];
  }[];
}

function leftOutOf({ testResults }: Result): LeftOut {
  let all: LeftOut = {};
  for (const { assertionResults } of testResults)
    for (const { status, ancestorTitles, title } of assertionResults) {
      const need = status === 'pending' ? needOf([...ancestorTitles, title]) : undefined;
      if (need) all = added(all, { [need]: 1 });
    }
  return all;
}

/** The lines that end a run of tests: what was left out, if anything was, and the counts. */
export function summary(count: Count): string {
  const left_out = Object.entries(count.left_out ?? {}) as [Need, number][];
  const lines = left_out.map(([need, tests]) => `left out: ${saysWhatIsMissing(need, tests)}`);
  return [...lines, `${count.passed} passed, ${count.failed} failed`].join('\n');
}

/** What a run of tests wrote as its summary; null if it ended without one. */
export function readSummary(output: string): Count | null {
  const lines = output.trimEnd().split('\n');
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.pop() ?? '') ?? [];
  if (passed === undefined) return null;
  const left_out: Partial<Record<Need, number>> = {};
  for (let line = lines.pop(); line?.startsWith('left out: '); line = lines.pop()) {
    const tests = Number.parseInt(line.slice('left out: '.length), 10);
    for (const need of Object.keys(NEEDS) as Need[])
      if (line === `left out: ${saysWhatIsMissing(need, tests)}`) left_out[need] = tests;
  }
  return { passed: Number(passed), failed: Number(failed), left_out };
}
