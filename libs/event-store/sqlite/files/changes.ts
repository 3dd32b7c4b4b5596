import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import { appendToIndex, type IndexChunk } from '../event-index/index-writer.js';
import { inTransaction, prepared } from './database.js';

export interface Statement {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** A statement, or the events that an index takes. */
export type Change = Statement | { readonly index: IndexChunk };

/** Makes all changes or none. */
export function applyChanges(db: DatabaseSync, changes: readonly Change[]): void {
  const prepare = (sql: string): StatementSync => prepared(db, sql);
  inTransaction(db, () => {
    for (const one of changes)
      if ('index' in one) appendToIndex(prepare, one.index);
      else prepare(one.sql).run(...one.values);
  });
}
