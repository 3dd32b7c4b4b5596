import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import type { Context } from '../foundation/decision.js';
import { type Clause, lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import { findLabel } from '../relations/labels.js';
import type { Label } from './record.js';
import { type LabelView, presentLabel } from './view.js';

export const labelReads: ReadDefinition<Label, LabelView> = {
  family: 'labels',
  not_found: 'label-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, label) => Access.of(context).can('VIEW', label.id),
  // For an unknown value, VIEW on the whole table is required.
  mayAsk: (context, id) =>
    Access.of(context).can('VIEW', id.startsWith(PREFIX.label) ? id : 'TABLE_LABELS'),
  idOf: ({ state }, id_or_value) => findLabel(state, id_or_value)?.id ?? id_or_value,
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_LABELS')) return 'all';
    return [{ field: 'id', among: recordsHeld(access, 'VIEW', PREFIX.label) }];
  },
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
