import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import { directoryNode } from '../access/resources.js';
import type { Context } from '../foundation/decision.js';
import { findLabel, labelValues } from '../relations/labels.js';
import type { Label } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';
import { shownByViewRight } from '../access/visible.js';
import { type Clause, lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';

export const labelView = view('Label', {
  id: text({ example: 'LabelID_3f0c…' }),
  value: text({ example: 'urgent', description: 'Lower case' }),
  description: nullable(text('The same as public_note')),
  public_note: nullable(text()),
  private_note: nullable(text('Null for callers without EDIT on the label')),
  color: text({ example: '#3B82F6' }),
  created_by: text(),
  created_at: integer(),
  last_updated_at: integer(),
  resources: listOf(
    text(),
    'Ids of the records with the label, the first 1,000 by id; empty unless the caller is the owner',
  ),
  labels: listOf(text(), 'Values of the labels pinned on this label'),
  external_id: nullable(text()),
  external_payload: nullable(text()),
  permission_previews: listOf(oneOf(SYSTEM_TYPES)),
});
export type LabelView = Shown<typeof labelView>;

/** Ids of the records with the label, without expired files and folders. */
function shownResources(access: Access, { id }: Label): string[] {
  const { state } = access;
  const isShown = (pinned: string): boolean =>
    directoryNode(state, pinned) === undefined || access.exists(pinned);
  return state.undo_log.pins.first(id).filter(isShown);
}

/** A label as the caller of `context` sees it. */
export function presentLabel(context: Context, label: Label): LabelView {
  const { state } = context;
  const access = Access.of(context);
  return {
    id: label.id,
    value: label.value,
    description: label.public_note || null,
    public_note: label.public_note || null,
    private_note: (access.can('EDIT', label.id) && label.private_note) || null,
    color: label.color,
    created_by: label.created_by,
    created_at: label.created_at,
    last_updated_at: label.last_updated_at,
    resources: access.is_owner ? shownResources(access, label) : [],
    labels: labelValues(state, label),
    external_id: label.external_id || null,
    external_payload: label.external_payload || null,
    permission_previews: access.systemTypes(label.id),
  };
}

export const labelReads: ReadDefinition<Label, LabelView> = {
  family: 'labels',
  not_found: 'label-not-found',
  when_hidden: 'forbidden',
  ...shownByViewRight('TABLE_LABELS', PREFIX.label),
  // For an unknown value, VIEW on the whole table is required.
  mayAsk: (context, id) =>
    Access.of(context).can('VIEW', id.startsWith(PREFIX.label) ? id : 'TABLE_LABELS'),
  idOf: ({ state }, id_or_value) => findLabel(state, id_or_value)?.id ?? id_or_value,
  present: presentLabel,
  filter_text: (label) => lines(label.value, label.id),
};

/** Labels whose value begins with the text (case-insensitive). */
export function labelsBeginning({ state }: Context, prefix: string): Clause {
  const folded = prefix.toLowerCase();
  const among = new Set<string>();
  for (const label of state.labels.values())
    if (label.value.startsWith(folded)) among.add(label.id);
  return { field: 'id', among };
}
