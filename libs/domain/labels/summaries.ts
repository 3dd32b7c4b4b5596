import { changed, type Summaries } from '../foundation/summary-context.js';
import type { LabelEvents } from './events.js';

export const labelSummaries: Summaries<LabelEvents> = {
  LabelCreated: ({ actor, name }, { label_id }) => `${actor} made the label ${name(label_id)}`,

  LabelUpdated: (context, { label_id }) => changed(context, 'label', label_id),

  LabelDeleted: ({ actor, name }, { label_id }) => `${actor} deleted the label ${name(label_id)}`,

  LabelPinned: ({ actor, name }, { label_id, resource_id }) =>
    `${actor} put the label ${name(label_id)} on ${name(resource_id)}`,

  LabelUnpinned: ({ actor, name }, { label_id, resource_id }) =>
    `${actor} took the label ${name(label_id)} off ${name(resource_id)}`,
};
