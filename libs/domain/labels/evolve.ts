import type { DriveState } from '../foundation/state.js';
import { recordOf, tableOfRecord } from '../foundation/record-of.js';
import type { Evolvers } from '../foundation/evolver.js';
import { removeGrantsOn } from '../relations/cascade.js';
import type { LabelEvents } from './events.js';
import { withoutLabel } from '../relations/labels.js';

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

  LabelDeleted(state, { label_id }) {
    for (const resource_id of state.undo_log.pins.of(label_id)) unpin(state, label_id, resource_id);
    removeGrantsOn(state, label_id);
    state.labels.remove(label_id);
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
