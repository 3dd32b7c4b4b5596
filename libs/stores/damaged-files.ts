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
