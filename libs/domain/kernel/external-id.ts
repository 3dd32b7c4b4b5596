import type { RecordBase } from './table.js';

/** An index for families whose records may carry an id that other systems know them by. */
export const byExternalId = {
  external_id: (record: RecordBase & { readonly external_id?: string | null }): string | null =>
    record.external_id || null,
};
