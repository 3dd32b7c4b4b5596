import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const TEST = join(import.meta.dirname, '..');
const ENDING = '.e2e.spec.ts';

/**
 * End-to-end specs as one suite, so that the service they test is loaded once for all of them. `COMBINED_SPECS` holds
 * what their names begin with, below `test/e2e` unless a folder is named. Hooks have to stand in suites: those of a file
 * itself would run for all.
 */
for (const name of JSON.parse(process.env.COMBINED_SPECS!) as string[]) {
  const path = name.includes('/') ? name : `e2e/${name}`;
  const [folder = '', beginning = ''] = path.split(/\/(?=[^/]*$)/);
  const specs = readdirSync(join(TEST, folder)).filter(
    (file) => file.startsWith(beginning) && file.endsWith(ENDING),
  );
  if (specs.length === 0) throw new Error(`no specs are called ${name}`);
  for (const spec of specs) await import(join(TEST, folder, spec));
}
