import type { LabelFields } from './record.js';

/** Commands on labels. Absent fields get their default (create) or do not change (update). */
export interface CreateLabel extends Partial<LabelFields> {
  id?: string;
  value: string;
  fresh: { label_id: string };
}

export interface UpdateLabel extends Partial<LabelFields> {
  id: string;
}

export interface DeleteLabel {
  id: string;
}

export interface PinLabel {
  label_id: string;
  resource_id: string;
  /** True pins the label, false unpins it. */
  add: boolean;
}
