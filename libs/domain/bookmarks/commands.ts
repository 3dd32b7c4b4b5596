import type { Refusal } from '../kernel/refusal.js';
import type { Point } from './record.js';

export interface CreateBookmark {
  name: string;
  note?: string;
  /**
   * The resolved point, or the refusal of an invalid one. Absent: the current point, before the command's own event.
   */
  point?: Point | Refusal;
}

export interface DeleteBookmark {
  name: string;
}
