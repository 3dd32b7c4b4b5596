import { globSync, readFileSync } from 'node:fs';
import { checkSync } from 'recheck';
import ts from 'typescript';

const FILES = ['apps/**/*.ts', 'apps/**/*.tsx', 'libs/**/*.ts', 'tools/*.js'];
const OTHER = /\.spec\.tsx?$|\/(?:testing|generated|node_modules|dist)\//;

/** Expressions over texts of this installation alone, which no caller sends, by their file. */
const OF_OPERATORS = new Map([
  ['libs/settings/kinds.ts', ['/\\/+$/']],
  ['libs/client/src/transport.ts', ['/\\/+$/']],
]);

/** Steps are counted instead of timed: on a busy machine an expression is not slower. */
const OPTIONS = {
  timeout: 20_000,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

function* expressionsOf(file: string): Generator<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const open: ts.Node[] = [source];
  for (let node = open.pop(); node; node = open.pop()) {
    if (ts.isRegularExpressionLiteral(node)) yield node.text;
    ts.forEachChild(node, (child) => void open.push(child));
  }
}

/** What makes an expression slow; null if a text takes time in proportion to its length. */
function slownessOf(text: string): string | null {
  const end = text.lastIndexOf('/');
  const found = checkSync(text.slice(1, end), text.slice(end + 1), OPTIONS);
  return found.status === 'vulnerable'
    ? `${found.complexity.summary}: ${found.attack.pattern}`
    : null;
}

describe('regular expressions', () => {
  it('the check finds what takes too long', () => {
    expect(slownessOf('/^(?:a*)*$/')).toMatch(/^exponential/);
    expect(slownessOf('/a+$/')).toMatch(/^2nd degree polynomial/);
    expect(slownessOf('/^a+$/')).toBeNull();
  });

  it('no text takes longer than in proportion to its length', () => {
    const files = FILES.flatMap((pattern) => globSync(pattern)).filter((one) => !OTHER.test(one));
    const checked = new Map<string, string | null>();
    const slow: string[] = [];
    for (const file of files)
      for (const text of expressionsOf(file)) {
        if (OF_OPERATORS.get(file)?.includes(text)) continue;
        if (!checked.has(text)) checked.set(text, slownessOf(text));
        const slowness = checked.get(text);
        if (slowness) slow.push(`${file}: ${text} is ${slowness}`);
      }
    expect(slow).toEqual([]);
    expect(checked.size).toBeGreaterThan(100);
  });
});
