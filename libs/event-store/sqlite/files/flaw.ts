import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDamaged } from './unusable.js';

/**
 * Reads a database file with all its pages, and answers why SQLite cannot use one of them; null if it can.
 * @param is_copy nobody else uses the file: SQLite then creates no files beside it
 */
export function flawOf(path: string, { is_copy = false } = {}): string | null {
  const file = pathToFileURL(path);
  if (is_copy) file.searchParams.set('immutable', '1');
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const [found] = db.prepare('PRAGMA quick_check(1)').all();
    const says = String(found?.['quick_check']);
    // Its first line names the database.
    return says === 'ok' ? null : says.split('\n').at(-1)!;
  } catch (error) {
    if (!isDamaged(error)) throw error;
    return (error as Error).message;
  } finally {
    db.close();
  }
}
