import type { RecordBase } from './record.js';
import { Box, type Sealed } from './sealed.js';

/** An index for families whose records may carry an id that other systems know them by; sealed ones are not in it. */
export const byExternalId = {
  external_id: ({
    external_id,
  }: RecordBase & { readonly external_id?: Sealed<string | null> }): string | null =>
    external_id instanceof Box ? null : external_id || null,
};
