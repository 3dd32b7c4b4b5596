import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const GUIDE = join(ROOT, 'docs', 'adding-a-family.md');
const FILE = /^`([^`\s]+\.ts)`\n\n```ts\n([\s\S]*?)^```$/gm;
const DIFF = /^```diff\n([\s\S]*?)^```$/m;
/** What a build depends on, and what the last one left for the next. */
const COPIED = [
  'apps',
  'libs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** What the guide says a family consists of. */
export interface Guide {
  /** Text of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** Lines to add to other files. */
  readonly lines: readonly { readonly path: string; readonly line: string }[];
}

export function readGuide(): Guide {
  const text = readFileSync(GUIDE, 'utf8');
  const files = new Map([...text.matchAll(FILE)].map(([, path, code]) => [path!, code!]));
  const lines: { path: string; line: string }[] = [];
  let path = '';
  for (const line of DIFF.exec(text)![1]!.split('\n')) {
    if (line.startsWith('--- ')) path = line.slice(4);
    else if (line.startsWith('+')) lines.push({ path, line: line.slice(1) });
  }
  return { files, lines };
}

/** Copies the sources to a folder, and adds the family as the guide says. */
export function writeFamily(root: string, { files, lines }: Guide): void {
  const without_specs = (path: string): boolean => !path.endsWith('.spec.ts');
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(root, path), { recursive: true, filter: without_specs });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [path, code] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), code);
  }
  for (const { path, line } of lines) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), withLine(text, line));
  }
}

/** An import comes behind the others, an entry at the end of the list. */
function withLine(text: string, line: string): string {
  const all = text.split('\n');
  const is_import = line.startsWith('import ');
  const at = is_import
    ? all.findLastIndex((one) => one.startsWith('import ')) + 1
    : all.indexOf('] as const;');
  if (at < 0) throw new Error(`no place for ${line}`);
  return all.toSpliced(at, 0, line).join('\n');
}
