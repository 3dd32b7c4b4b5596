import { existsSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

import { type DatabaseFile, NewerSchema, OlderSchema, openDatabase } from './database.js';
import { isDamaged } from './unusable.js';

/**
 * Opens a cache file. A cache never prevents a start: an unusable file is replaced by a new one; read-only it counts
 * as missing.
 * @returns null for a missing file opened read-only
 */
export function openCache(file: DatabaseFile): DatabaseSync | null {
  if (file.read_only && !existsSync(file.path)) return null;
  try {
    return openDatabase(file);
  } catch (error) {
    const is_other = error instanceof NewerSchema || error instanceof OlderSchema;
    if (!isDamaged(error) && !is_other) throw error;
    if (file.read_only) return null;
    for (const suffix of ['', '-wal', '-shm']) rmSync(file.path + suffix, { force: true });
    return openDatabase(file);
  }
}
