import { LABEL_DEFAULTS, type LabelFields } from './record.js';
import type { RecordBase } from '../kernel/record.js';
import { recordOf } from '../foundation/record-of.js';
import { event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { Access, type Evidence, together } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import {
  isRefusal,
  type Refusal,
  refuse,
  refuseField,
  refuseIdInUse,
  refuseItems,
} from '../kernel/refusal.js';
import type { DriveState } from '../foundation/state.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { PREFIX } from '../kernel/ids.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { labelView, presentLabel } from './reads.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

/** Commands on labels. Absent fields get their default (create) or do not change (update). */
export interface CreateLabel extends Partial<LabelFields> {
  id?: string;
  value: string;
  fresh: { label_id: string };
}

export interface UpdateLabel extends Changes<Omit<typeof LABEL_DEFAULTS, 'color'>> {
  id: string;
  value?: string;
  color?: string;
}

export interface PinLabel {
  label_id: string;
  resource_id: string;
  /** True pins the label, false unpins it. */
  add: boolean;
}

/** Pins or unpins a label. Requires EDIT on the label and on the record. If nothing changes, it is a no-op. */
export const pinLabel: Decider<PinLabel> = (context, { label_id, resource_id, add }) => {
  if (label_id === resource_id) return refuseField('/resource_id', 'must not be the label itself');
  const access = Access.of(context);
  const may_label = access.owner() ?? access.system('EDIT', label_id);
  if (!may_label) return access.denied();
  if (!context.state.labels.has(label_id)) return refuse('label-not-found');
  const found = findResource(context, access, resource_id);
  if (isRefusal(found)) return found;
  const allowed = together(may_label, found.may_edit);
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
  const not_found = refuse('resource-not-found', {
    pointer: '/resource_id',
    reason: 'names no record',
  });
  if (!record || (is_directory && !access.exists(resource_id))) return not_found;
  if (may_edit) return { record, may_edit };
  const is_hidden = reads.when_hidden !== 'forbidden' && !reads.mayRead(context, record);
  return is_hidden ? not_found : access.denied();
}

export const createLabel: Decider<CreateLabel> = (context, command) => {
  const { state, caller } = context;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_LABELS');
  if (!allowed) return access.denied();
  if (command.id && state.isUsed(state.labels, command.id)) return refuseIdInUse();
  const value = command.value.toLowerCase();
  const taken = refuseTakenValue(state, value);
  if (taken) return taken;
  const settings = filled(LABEL_DEFAULTS, command);
  return accept(
    allowed,
    event('LabelCreated', {
      label_id: command.id ?? command.fresh.label_id,
      created_by: caller.user_id,
      value,
      ...settings,
      color: settings.color.toUpperCase(),
    }),
  );
};

export const updateLabel: Decider<UpdateLabel> = (context, command) => {
  const { state } = context;
  const { id: label_id } = command;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('EDIT', label_id);
  if (!allowed) return access.denied();
  if (!state.labels.has(label_id)) return refuse('label-not-found');
  const fields = {
    ...changes(LABEL_DEFAULTS, command),
    ...(command.value !== undefined && { value: command.value.toLowerCase() }),
    ...(command.color !== undefined && { color: command.color.toUpperCase() }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  const taken = refuseTakenValue(state, fields.value, label_id);
  if (taken) return taken;
  return accept(allowed, event('LabelUpdated', { label_id, ...fields }));
};

export const deleteLabel: Decider<ById> = (context, { id }) => {
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', id);
  if (!allowed) return access.denied();
  if (!context.state.labels.has(id)) return refuse('label-not-found');
  const too_many = refuseTooManyPins(context, id);
  if (too_many) return too_many;
  return accept(allowed, event('LabelDeleted', { label_id: id }));
};

/** Refuses a value that another label of the drive has. */
function refuseTakenValue(
  state: DriveState,
  value: string | undefined,
  own_id?: string,
): Refusal | null {
  const other = value === undefined ? undefined : state.labels.where('value', value)[0];
  if (!other || other.id === own_id) return null;
  return refuse('label-value-in-use', { pointer: '/value', reason: 'is the value of a label' });
}

/** Refuses the deletion of a label from more records than one command may affect; copies of files have it too. */
function refuseTooManyPins({ state, settings }: Context, label_id: string): Refusal | null {
  const { items_per_action: most } = settings;
  const count = state.undo_log.pins.count(label_id);
  return count <= most ? null : refuseItems(`is pinned to ${count} records`, most);
}

export const pinView = view('Pin', {
  success: flag<true>({ example: true }),
  message: text(),
  label: labelView,
});
type PinAnswer = Shown<typeof pinView>;

const answers = recordAnswers('labels', presentLabel);

export const labelCommands = namedCommands({
  CreateLabel: decidedBy(createLabel, {
    generate: (fresh) => ({ label_id: fresh.id(PREFIX.label) }),
    answer: answers.created('LabelCreated', 'label_id'),
  }),

  UpdateLabel: answers.update(updateLabel),

  DeleteLabel: deletion(deleteLabel),

  PinLabel: decidedBy<PinLabel, PinAnswer>(pinLabel, {
    answer(context, { label_id, resource_id, add }) {
      const label = answers.byId(context, label_id);
      const outcome = add ? 'is pinned on' : 'is not pinned on';
      return { success: true, message: `Label ${label.value} ${outcome} ${resource_id}`, label };
    },
  }),
});
