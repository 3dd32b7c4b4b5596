import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DATABASES } from './manifest.js';

interface BackedUpEvent {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: string;
}

/** Events of some types in a backup, in their order. The files of the backup stay as they are. */
export function* eventsIn(
  folder: string,
  types: readonly string[],
): Generator<BackedUpEvent, void> {
  const file = pathToFileURL(join(folder, DATABASES[0]));
  // Else SQLite creates files beside the copy.
  file.searchParams.set('immutable', '1');
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = db
      .prepare(
        `SELECT streams.name AS stream, revision, types.name AS type, data
         FROM events JOIN streams ON streams.id = stream_id JOIN types ON types.id = type_id
         WHERE types.name IN (SELECT value FROM json_each(?)) ORDER BY position`,
      )
      .iterate(JSON.stringify(types));
    for (const row of rows) yield row as unknown as BackedUpEvent;
  } finally {
    db.close();
  }
}
