import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../e2e');
/** As many as there are files `part-<nth>.ts`. */
const PARTS = 6;

/**
 * Loads one of the parts into which the end-to-end specs are divided, as one suite: the service that they test is loaded
 * once for all of them (1.7 s and more). `npm test` runs them so; to run one part alone, give its path to Jest as
 * `--testMatch`. Hooks have to stand in suites: those of a file itself would run for all.
 */
export async function loadPart(nth: number): Promise<void> {
  for (const name of partsOf(readdirSync(FOLDER))[nth]!) await import(join(FOLDER, name));
}

/** Parts of about equal size in bytes, the same in every run. */
function partsOf(names: readonly string[]): readonly (readonly string[])[] {
  const specs = names
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => ({ name, bytes: statSync(join(FOLDER, name)).size }))
    .sort((one, other) => other.bytes - one.bytes || (one.name < other.name ? -1 : 1));
  const parts = Array.from({ length: PARTS }, () => ({ names: [] as string[], bytes: 0 }));
  for (const { name, bytes } of specs) {
    const least = parts.reduce((one, other) => (other.bytes < one.bytes ? other : one));
    least.names.push(name);
    least.bytes += bytes;
  }
  return parts.map((part) => part.names);
}
