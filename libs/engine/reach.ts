import { setTimeout as after } from 'node:timers/promises';
import type { EventStore } from '../event-store/port.js';
import type { ReadModel } from '../read-model/port.js';
import { Unavailable } from './call.js';
import type { Drive } from './drive.js';
import { streamOf } from './fold.js';

const LONGEST_PAUSE_MS = 50;

/** Where streams and documents are looked up. */
export interface ReachedStores {
  readonly events: EventStore;
  readonly read_model: ReadModel;
}

/**
 * Brings a drive's state and read model to a revision, should another process have appended it. False if
 * the stream has no such revision. @throws Unavailable `behind` if that takes longer than `wait_ms`
 */
export async function reach(
  { events, read_model }: ReachedStores,
  drive: Drive,
  revision: number,
  wait_ms: number,
): Promise<boolean> {
  if (drive.head.revision < revision) {
    const head = await events.head(streamOf(drive.drive_id));
    if ((head?.revision ?? -1) < revision) return false;
  }
  const is_there = async (): Promise<boolean> =>
    drive.hasReached(revision) &&
    ((await read_model.checkpoint(drive.drive_id))?.revision ?? -1) >= revision;
  const deadline = performance.now() + wait_ms;
  for (let pause_ms = 1; !(await is_there()); pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    const left_ms = deadline - performance.now();
    if (left_ms <= 0) throw new Unavailable('behind');
    const following = drive.hasReached(revision) ? [] : [drive.follow()];
    // Whoever fails to read on tries again, as long as there is time.
    const settled = Promise.all(following).catch(() => after(Math.min(pause_ms, left_ms)));
    await Promise.race([settled, after(left_ms, undefined, { ref: false })]);
    if (following.length === 0) await after(Math.min(pause_ms, left_ms));
  }
  return true;
}
