import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * Maximum number of production files outside a family's own folders that import from it; the list of families is one.
 * To raise a number is to decide that more of the system depends on that family.
 */
const MOST_IMPORTERS: Readonly<Record<string, number>> = {
  'api-keys': 10,
  bookmarks: 2,
  contacts: 7,
  directory: 26,
  disks: 42,
  factory: 2,
  giftcards: 4,
  groups: 8,
  'known-drives': 1,
  labels: 1,
  organization: 6,
  permissions: 3,
  purchases: 1,
  webhooks: 2,
};

const ROOT = join(import.meta.dirname, '..', '..');
const TESTS = /\.(spec|contract)\.ts$|\/testing\//;

function importersOf(family: string): string[] {
  const options = { cwd: ROOT, encoding: 'utf8' } as const;
  return execFileSync('git', ['ls-files', 'apps/**/*.ts', 'libs/**/*.ts'], options)
    .trim()
    .split('\n')
    .filter((file) => !TESTS.test(file) && !file.includes(`/${family}/`))
    .filter((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '(\.{1,2}\/[^']+)'/g)].some(
        ([, path]) => normalize(join(dirname(file), path!)).startsWith(`libs/domain/${family}/`),
      ),
    );
}

describe('files outside a family that name it', () => {
  it.each(Object.keys(MOST_IMPORTERS))('are few for %s', (family) => {
    const importers = importersOf(family);
    expect(importers).toContain('libs/domain/drive/families.ts');
    // The files, so that a failure names them.
    expect(importers.length > MOST_IMPORTERS[family]! ? importers : []).toEqual([]);
  });
});
