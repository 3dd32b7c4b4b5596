import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';

/** A label. The records it is pinned on name it in their `label_ids`; it does not name them. */
export interface Label extends RecordBase {
  /** Lower-case, unique in the drive. */
  readonly value: string;
  readonly public_note: string | null;
  readonly private_note: string | null;
  /** `#RGB` or `#RRGGBB`, upper-case. */
  readonly color: string;
  readonly created_by: string;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly last_updated_at: number;
}

export const DEFAULT_COLOR = '#3B82F6';

export const labelFamily: FamilyDefinition<Label> = {
  name: 'labels',
  prefix: PREFIX.label,
  table: 'TABLE_LABELS',
  noun: 'label',
  defaults: {
    label_ids: [],
    public_note: null,
    private_note: null,
    color: DEFAULT_COLOR,
    external_id: null,
    external_payload: null,
  },
  user_fields: ['created_by'],
  indexes: { ...byExternalId, value: (label) => label.value },
};

declare module '../foundation/state.js' {
  interface Records {
    labels: Label;
  }
}
