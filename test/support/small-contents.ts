import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/**
 * Runs a statement on the small contents in a folder of contents, as damage and time change them; a service may use
 * the folder meanwhile.
 */
export function onSmallContents(folder: string, sql: string, ...values: SQLInputValue[]): void {
  const db = new DatabaseSync(join(folder, 'small.db'));
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}

interface SmallContent {
  readonly drive_id: string;
  readonly content_id: string;
  readonly bytes: Uint8Array;
}

/** All small contents in a folder of contents. */
export function smallContents(folder: string): readonly SmallContent[] {
  const db = new DatabaseSync(join(folder, 'small.db'), { readOnly: true });
  try {
    return db.prepare('SELECT drive_id, content_id, bytes FROM contents').all() as never;
  } finally {
    db.close();
  }
}

/** Damage to the bytes of a small content, as SQL over its column `bytes`. */
export const SMALL_DAMAGE = {
  'a flipped byte': `CAST(substr(bytes, 1, 5) || x'ff' || substr(bytes, 7) AS BLOB)`,
  'a lost end': 'substr(bytes, 1, length(bytes) - 1)',
  'a lost tag': 'substr(bytes, 1, length(bytes) - 16)',
} as const;
