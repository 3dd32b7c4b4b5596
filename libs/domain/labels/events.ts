import type { EventSchemas } from '../kernel/event.js';
import type { LabelFields } from './record.js';
import type { DriveState } from '../foundation/state.js';
import { recordOf, tableOfRecord } from '../foundation/record-of.js';
import type { Evolvers } from '../foundation/evolver.js';
import { forEach } from '../kernel/steps.js';
import { removeRecord } from '../relations/cascade.js';
import { withoutLabel } from '../relations/labels.js';
import { changed, type Summaries } from '../foundation/summary-context.js';

export interface LabelEvents {
  LabelCreated: LabelFields & { label_id: string; created_by: string };
  LabelUpdated: { label_id: string } & Partial<LabelFields>;
  /** The label was deleted, and unpinned from all records. */
  LabelDeleted: { label_id: string };
  LabelPinned: { label_id: string; resource_id: string };
  LabelUnpinned: { label_id: string; resource_id: string };
}

export const labelSchemas: EventSchemas<LabelEvents> = {
  LabelCreated: { version: 1 },
  LabelUpdated: { version: 1 },
  LabelDeleted: { version: 1 },
  LabelPinned: { version: 1 },
  LabelUnpinned: { version: 1 },
};

function unpin(state: DriveState, label_id: string, resource_id: string): void {
  const record = recordOf(state, resource_id);
  if (record) tableOfRecord(state, resource_id)!.put(withoutLabel(record, label_id));
}

export const labelEvolvers: Evolvers<LabelEvents> = {
  LabelCreated(state, { label_id, ...fields }, { timestamp_ms }) {
    state.labels.put({
      ...fields,
      id: label_id,
      created_at: timestamp_ms,
      last_updated_at: timestamp_ms,
    });
  },

  LabelUpdated(state, { label_id, ...fields }, { timestamp_ms }) {
    const label = state.labels.get(label_id);
    if (label) state.labels.put({ ...label, ...fields, last_updated_at: timestamp_ms });
  },

  *LabelDeleted(state, { label_id }) {
    yield* forEach(state.undo_log.pins.of(label_id), (resource_id) =>
      unpin(state, label_id, resource_id),
    );
    yield* removeRecord(state, state.labels, label_id);
  },

  LabelPinned(state, { label_id, resource_id }) {
    const record = recordOf(state, resource_id);
    if (!record) return;
    const label_ids = [...(record.label_ids ?? []), label_id];
    tableOfRecord(state, resource_id)!.put({ ...record, label_ids });
  },

  LabelUnpinned(state, { label_id, resource_id }) {
    unpin(state, label_id, resource_id);
  },
};

export const labelSummaries: Summaries<LabelEvents> = {
  LabelCreated: ({ actor, name }, { label_id }) => `${actor} made the label ${name(label_id)}`,

  LabelUpdated: (context, { label_id }) => changed(context, 'label', label_id),

  LabelDeleted: ({ actor, name }, { label_id }) => `${actor} deleted the label ${name(label_id)}`,

  LabelPinned: ({ actor, name }, { label_id, resource_id }) =>
    `${actor} put the label ${name(label_id)} on ${name(resource_id)}`,

  LabelUnpinned: ({ actor, name }, { label_id, resource_id }) =>
    `${actor} took the label ${name(label_id)} off ${name(resource_id)}`,
};

declare module '../foundation/events.js' {
  interface DriveEvents extends LabelEvents {}
}
