import type { DriveState } from '../foundation/state.js';
import { event } from '../foundation/events.js';
import { Access } from '../access/access.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { filled, given, isEmpty } from '../kernel/fields.js';
import { type Refusal, refuse, refuseIdInUse, refuseItems } from '../kernel/refusal.js';
import type { CreateLabel, DeleteLabel, UpdateLabel } from './commands.js';
import { LABEL_DEFAULTS } from './record.js';

const TEXTS = ['public_note', 'private_note', 'external_id', 'external_payload'] as const;

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
    ...given(command, TEXTS),
    ...(command.value !== undefined && { value: command.value.toLowerCase() }),
    ...(command.color !== undefined && { color: command.color.toUpperCase() }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  const taken = refuseTakenValue(state, fields.value, label_id);
  if (taken) return taken;
  return accept(allowed, event('LabelUpdated', { label_id, ...fields }));
};

export const deleteLabel: Decider<DeleteLabel> = (context, { id }) => {
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
