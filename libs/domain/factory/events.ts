import type { MarksOf } from '../kernel/event.js';

/** Events of the stream `factory`. */
export interface FactoryEvents {
  /** The drive whose stream was written before is named, and exists from now on. */
  DriveSpawned: { drive_id: string };
}

export const factoryMarks: MarksOf<FactoryEvents> = { DriveSpawned: { version: 1 } };
