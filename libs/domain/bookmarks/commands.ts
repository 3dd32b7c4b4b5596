import type { Refusal } from '../kernel/refusal.js';
import type { Point } from './record.js';

export interface CreateBookmark {
  name: string;
  note?: string;
  /** What the point asked for stands for, or why it is none. Absent: now, before the command's own event. */
  point?: Point | Refusal;
}

export interface DeleteBookmark {
  name: string;
}
