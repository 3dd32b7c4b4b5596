import type { CommandDefinition, Context, GeneratingCommand } from '../foundation/decision.js';
import { PREFIX } from '../kernel/ids.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreateLabel, DeleteLabel, PinLabel, UpdateLabel } from './commands.js';
import { createLabel, deleteLabel, updateLabel } from './decide.js';
import { pinLabel } from './pin.js';
import { type LabelView, labelView, presentLabel } from './view.js';
import { flag, type Shown, text, view } from '../kernel/view.js';

export const pinView = view('Pin', {
  success: flag<true>({ example: true }),
  message: text(),
  label: labelView,
});
export type PinAnswer = Shown<typeof pinView>;

function presentById(context: Context, id: string): LabelView {
  return presentLabel(context, context.state.labels.get(id)!);
}

export const labelCommands = {
  CreateLabel: {
    name: 'CreateLabel',
    decide: createLabel,
    generate: (fresh) => ({ label_id: fresh.id(PREFIX.label) }),
    answer: (context, _, events) => presentById(context, bodyOf(events, 'LabelCreated')!.label_id),
  } satisfies GeneratingCommand<CreateLabel, LabelView>,

  UpdateLabel: {
    name: 'UpdateLabel',
    decide: updateLabel,
    answer: (context, { id }) => presentById(context, id),
  } satisfies CommandDefinition<UpdateLabel, LabelView>,

  DeleteLabel: deletion<DeleteLabel>('DeleteLabel', deleteLabel),

  PinLabel: {
    name: 'PinLabel',
    decide: pinLabel,
    answer(context, { label_id, resource_id, add }) {
      const label = presentById(context, label_id);
      const outcome = add ? 'is pinned on' : 'is not pinned on';
      return { success: true, message: `Label ${label.value} ${outcome} ${resource_id}`, label };
    },
  } satisfies CommandDefinition<PinLabel, PinAnswer>,
};
