import { SYSTEM_TYPES } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import { directoryNode } from '../access/resources.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { Label } from './record.js';
import { integer, listOf, nullable, oneOf, type Shown, text, view } from '../kernel/view.js';

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
