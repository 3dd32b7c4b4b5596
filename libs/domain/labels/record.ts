import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';

export const DEFAULT_COLOR = '#3B82F6';

/** The fields of a label that a client may set, with their defaults. */
export const LABEL_DEFAULTS = {
  public_note: null as string | null,
  private_note: null as string | null,
  /** `#RGB` or `#RRGGBB`, upper-case. */
  color: DEFAULT_COLOR,
  external_id: null as string | null,
  external_payload: null as string | null,
};

/** With a value: lower-case, unique in the drive. */
export type LabelFields = typeof LABEL_DEFAULTS & { value: string };

/** A label. Records with the label list it in their `label_ids`; the label's own record does not list them. */
export interface Label extends RecordBase, Readonly<LabelFields> {
  readonly created_by: string;
  readonly created_at: number;
  readonly last_updated_at: number;
}

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
