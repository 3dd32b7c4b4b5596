import type { ProcessRole } from '../drives/role.js';
import { setTimeout as after } from 'node:timers/promises';
import { type EventStore, OLD_ANSWERS_MS } from '../../event-store/port.js';
import type { AnyReadModel } from '../../read-model/port.js';
import { Unavailable } from '../writer/call.js';
import type { Drive } from '../writer/drive.js';
import { streamOf } from '../fold/fold.js';
import type { CatchUp } from './catch-up.js';

const LONGEST_PAUSE_MS = 50;

const LONGEST_QUESTION_PAUSE_MS = 500;

/** The stores in which streams and documents are looked up. */
export interface ReachedStores {
  readonly events: EventStore;
  readonly read_model: AnyReadModel;
  readonly role: ProcessRole;
  readonly catch_up: Pick<CatchUp, 'notedRevision'>;
}

/**
 * Catches up a drive's state and read model to a revision of another process. False if the stream has no such
 * revision. @throws Unavailable `behind` if that takes longer than `wait_ms`
 */
export async function reach(
  stores: ReachedStores,
  drive: Drive,
  revision: number,
  wait_ms: number,
): Promise<boolean> {
  const { read_model } = stores;
  const deadline = performance.now() + wait_ms;
  if (!(await isStored(stores, drive, revision, deadline))) return false;
  const is_there = async (): Promise<boolean> =>
    drive.hasReached(revision) &&
    (!read_model.durable ||
      ((await read_model.checkpoint(drive.drive_id))?.revision ?? -1) >= revision);
  for (let pause_ms = 1; !(await is_there()); pause_ms = Math.min(2 * pause_ms, LONGEST_PAUSE_MS)) {
    const left_ms = deadline - performance.now();
    if (left_ms <= 0) throw new Unavailable('behind');
    const following = drive.hasReached(revision) ? [] : [drive.follow()];
    // Other failures are retried until the deadline.
    const settled = Promise.all(following).catch((error: unknown) => {
      if (error instanceof Unavailable && error.reason === 'broken') throw error;
      return after(Math.min(pause_ms, left_ms));
    });
    await Promise.race([settled, after(left_ms, undefined, { ref: false })]);
    if (following.length === 0) await after(Math.min(pause_ms, left_ms));
  }
  return true;
}

/**
 * True if the stream has reached a revision. In a cluster, a former leader may not know events that another node has
 * stored; the result is false only after the time in which this is possible.
 * @throws Unavailable `behind` at `deadline`
 */
async function isStored(
  { events, role, catch_up }: ReachedStores,
  drive: Drive,
  revision: number,
  deadline: number,
): Promise<boolean> {
  const { drive_id } = drive;
  const isKnown = (): boolean =>
    drive.head.revision >= revision || catch_up.notedRevision(drive_id) >= revision;
  const certain = performance.now() + (role.follows ? OLD_ANSWERS_MS : 0);
  for (
    let pause_ms = 50;
    !isKnown();
    pause_ms = Math.min(2 * pause_ms, LONGEST_QUESTION_PAUSE_MS)
  ) {
    const asked = performance.now();
    const head = await events.head(streamOf(drive_id));
    if ((head?.revision ?? -1) >= revision) return true;
    if (asked >= certain) return false;
    const left_ms = deadline - performance.now();
    if (left_ms <= 0) throw new Unavailable('behind');
    await after(Math.min(pause_ms, left_ms));
  }
  return true;
}
