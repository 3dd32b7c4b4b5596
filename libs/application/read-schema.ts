import { SHOWN_RECORDS } from '../domain/drive/record-kinds.js';
import type { FamilySchema, ReadModelSchema } from '../read-model/port.js';

/** Records without this time are in no list of the API; by their id alone. */
const created_at = (record: object): number => (record as { created_at?: number }).created_at ?? 0;

/** The families of lists and searches: their orders, filtered fields and searched fields. */
export const READ_SCHEMA: ReadModelSchema = Object.fromEntries(
  SHOWN_RECORDS.map(({ definition, reads }) => {
    const { filter_text = () => '', fields = {}, search } = reads;
    return [
      definition.name,
      { created_at, filter_text, fields, ...(search && { search }) } as FamilySchema,
    ];
  }),
);
