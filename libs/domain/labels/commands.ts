import type { LabelFields } from './record.js';

/** What a caller may ask of labels. Absent fields take their default (create) or stay (update). */
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
  /** True pins, false takes the pin away. */
  add: boolean;
}
