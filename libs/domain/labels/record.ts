import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';

/** The fields of a label that a client may set. */
export interface LabelFields {
  /** Lower-case, unique in the drive. */
  value: string;
  public_note: string | null;
  private_note: string | null;
  /** `#RGB` or `#RRGGBB`, upper-case. */
  color: string;
  external_id: string | null;
  external_payload: string | null;
}

/** A label. Records with the label list it in their `label_ids`; the label's own record does not list them. */
export interface Label extends RecordBase, Readonly<LabelFields> {
  readonly created_by: string;
  readonly created_at: number;
  readonly last_updated_at: number;
}

export const DEFAULT_COLOR = '#3B82F6';

export const LABEL_DEFAULTS: Omit<LabelFields, 'value'> = {
  public_note: null,
  private_note: null,
  color: DEFAULT_COLOR,
  external_id: null,
  external_payload: null,
};

export const labelFamily: FamilyDefinition<Label> = {
  name: 'labels',
  prefix: PREFIX.label,
  table: 'TABLE_LABELS',
  noun: 'label',
  defaults: { label_ids: [], ...LABEL_DEFAULTS },
  user_fields: ['created_by'],
  indexes: { ...byExternalId, value: (label) => label.value },
};

/** Refusals of this family's commands and queries. */
export const labelRefusals = {
  'label-not-found': notFound('label'),
  'label-value-in-use': {
    type: 'label.value-in-use',
    status: 409,
    title: 'Another label already has this value.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    labels: Label;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof labelRefusals> {}
}
