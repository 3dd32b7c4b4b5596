import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_CONTENTS } from '../content-store/files/content-files.js';
import { CACHES, flawOf, remedy } from '../event-store/sqlite/index.js';
import { CONTENT_FOLDER } from './open.js';
import type { StoreSettings } from './settings.js';

interface DamagedCache {
  readonly path: string;
  readonly flaw: string;
}

export function damagedCacheText({ path, flaw }: DamagedCache): string {
  return `The cache ${path} is damaged (${flaw}): stop the service and delete it, and it is rebuilt.`;
}

/** Reads the caches in the data folder: what is read from damaged ones fails until the service replaces them. */
export function damagedCaches({ data_dir, side_store }: StoreSettings): DamagedCache[] {
  if (side_store !== 'sqlite') return [];
  return [...CACHES].flatMap((name) => {
    const path = join(data_dir, name);
    const flaw = existsSync(path) ? flawOf(path) : null;
    return flaw === null ? [] : [{ path, flaw }];
  });
}

/** Reads the databases in the data folder that cannot be rebuilt, and says of each damaged one what to do. */
export function* damagedFiles({
  data_dir,
  event_store,
  side_store,
  content_store,
}: StoreSettings): Generator<string, void> {
  const paths = [
    ...(event_store === 'sqlite' ? ['events.db'] : []),
    ...(side_store === 'sqlite' ? ['side.db'] : []),
    ...(content_store === 'files' ? [join(CONTENT_FOLDER, SMALL_CONTENTS)] : []),
  ].map((name) => join(data_dir, name));
  for (const path of paths) {
    const flaw = existsSync(path) ? flawOf(path) : null;
    if (flaw !== null) yield `${path} is damaged (${flaw}): ${remedy(path)}.`;
  }
}

/** What to do about a damaged `jobs.db`; null if it is whole or missing. All else can be read without it. */
export function damagedJobs({ data_dir, side_store }: StoreSettings): string | null {
  const path = join(data_dir, 'jobs.db');
  const flaw = side_store === 'sqlite' && existsSync(path) ? flawOf(path) : null;
  return flaw === null
    ? null
    : `${path} is damaged (${flaw}): stop the service and delete it; webhooks resume with the next event.`;
}

/** Says of each of the two databases what to do if it is missing beside the other. */
export function missingFiles({ data_dir, event_store, side_store }: StoreSettings): string[] {
  if (event_store !== 'sqlite' || side_store !== 'sqlite') return [];
  const paths = ['events.db', 'side.db'].map((name) => join(data_dir, name));
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length === paths.length) return [];
  return missing.map((path) => `${path} is missing: ${remedy(path)}.`);
}
