import type { RecordBase } from './record.js';
import { Box, type Sealed } from './sealed.js';

/** The index by external id, for families whose records may have one. It omits sealed external ids. */
export const byExternalId = {
  external_id: ({
    external_id,
  }: RecordBase & { readonly external_id?: Sealed<string | null> }): string | null =>
    external_id instanceof Box ? null : external_id || null,
};
