import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_CONTENTS } from '../content-store/files/content-files.js';
import { flawOf, remedy } from '../event-store/sqlite/index.js';
import { CONTENT_FOLDER } from './open.js';
import type { StoreSettings } from './settings.js';

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
