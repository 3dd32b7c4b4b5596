import type { labelCommands } from '../../../libs/domain/labels/commands.js';
import { RECORD_KINDS } from '../../../libs/domain/drive/record-kinds.js';
import type { MakersOf } from './maker.js';
import type { Means } from './means.js';

const VALUES = ['Urgent', 'urgent', 'later', 'paid', 'a-b_c'];

const label = ({ state, id }: Means) => id(state.labels.ids(), 'LabelID_');

export const labelMakers: MakersOf<typeof labelCommands> = {
  CreateLabel: ({ chance, external, fresh, chosen }) => ({
    ...chosen('LabelID_'),
    value: chance.once(2) ? chance.of(VALUES) : fresh('label-'),
    ...external,
    fresh: { label_id: fresh('LabelID_') },
  }),
  UpdateLabel: (means) => ({
    id: label(means),
    ...means.chance.maybe('value', means.chance.of(VALUES)),
    ...means.chance.maybe('private_note', means.note()),
  }),
  DeleteLabel: (means) => ({ id: label(means) }),
  PinLabel: (means) => {
    const { chance, state, id } = means;
    const [prefix, { definition }] = chance.of([...RECORD_KINDS.by_prefix]);
    const resource_id = id(state.table(definition.name)!.ids(), prefix);
    return { label_id: label(means), resource_id, add: !chance.once(3) };
  },
};
