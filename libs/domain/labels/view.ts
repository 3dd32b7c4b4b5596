import type { SystemType } from '../kernel/permission-types.js';
import { Access } from '../access/access.js';
import { directoryNode } from '../access/resources.js';
import type { Context } from '../foundation/decision.js';
import { labelValues } from '../relations/labels.js';
import type { Label } from './record.js';

export interface LabelView {
  id: string;
  value: string;
  description: string | null;
  public_note: string | null;
  private_note: string | null;
  color: string;
  created_by: string;
  created_at: number;
  last_updated_at: number;
  /** At most 1,000, so that a page of labels has a bound. */
  resources: string[];
  labels: string[];
  external_id: string | null;
  external_payload: string | null;
  permission_previews: readonly SystemType[];
}

/** What carries the label; files and folders that have expired are there for nobody. */
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
