import type { RecordBase } from '../kernel/record.js';
import { recordOf } from '../foundation/record-of.js';
import { event } from '../foundation/events.js';
import { Access, type Evidence } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { type Refusal, isRefusal, refuse, refuseField } from '../kernel/refusal.js';
import type { PinLabel } from './commands.js';

/** Pins or unpins a label. Requires EDIT on the label and on the record. If nothing changes, it is a no-op. */
export const pinLabel: Decider<PinLabel> = (context, { label_id, resource_id, add }) => {
  if (label_id === resource_id) return refuseField('/resource_id', 'must not be the label itself');
  const access = Access.of(context);
  const may_label = access.owner() ?? access.system('EDIT', label_id);
  if (!may_label) return access.denied();
  if (!context.state.labels.has(label_id)) return refuse('label-not-found');
  const found = findResource(context, access, resource_id);
  if (isRefusal(found)) return found;
  const allowed = [...new Set([...may_label, ...found.may_edit])];
  const is_pinned = found.record.label_ids?.includes(label_id) ?? false;
  if (is_pinned === add) return accept(allowed);
  return accept(allowed, event(add ? 'LabelPinned' : 'LabelUnpinned', { label_id, resource_id }));
};

function findResource(
  context: Context,
  access: Access,
  resource_id: string,
): { record: RecordBase; may_edit: Evidence } | Refusal {
  const { state } = context;
  const { definition, reads } = state.kinds.of(resource_id)!;
  // Records without a system table are files and folders, which have directory permissions.
  const is_directory = definition.table === undefined;
  const may_edit =
    access.owner() ??
    (is_directory ? access.directory('EDIT', resource_id) : access.system('EDIT', resource_id));
  // If the family's ids are confidential, the permission is checked before existence.
  if (reads.mayAsk && !may_edit) return access.denied();
  const record = recordOf(state, resource_id);
  if (!record || (is_directory && !access.exists(resource_id)))
    return refuse('resource-not-found', {
      pointer: '/resource_id',
      reason: 'names no record',
    });
  return may_edit ? { record, may_edit } : access.denied();
}
