import { setTimeout as pause } from 'node:timers/promises';

import type { Drives } from '../drives/drives.js';
import { FACTORY_ID, hasEvent, streamOf } from '../fold/fold.js';
import { unlessDamaged } from '../following/stream-damage.js';

/** Pause before documents are compared again that could not be, ms. */
const COMPARE_AGAIN_MS = 1_000;

interface ComparisonOptions {
  /** True for the drives to compare. */
  readonly isWanted: (drive_id: string) => boolean;
  readonly isStopping: () => boolean;
  /** Called with the first failure. */
  readonly report: (error: unknown) => void;
}

/**
 * Brings up drives whose documents lack events, or are of other ones: after a store was restored from a backup, or its
 * documents were lost. Positions do not show that. Failed comparisons are repeated.
 */
export async function compareDocuments(
  drives: Drives,
  { isWanted, isStopping, report }: ComparisonOptions,
): Promise<void> {
  if (!drives.read_model.durable) return;
  const compare = async (drive_id: string): Promise<void> => {
    const last = await lastRevision(drives, drive_id);
    if ((await shownRevision(drives, drive_id)) < last)
      drives.catch_up.want(drive_id, last, drives.noted_position);
  };
  let is_reported = false;
  const failed = (error: unknown): null => {
    if (!is_reported) report(error);
    is_reported = true;
    return null;
  };
  /** Null until the organizations have been listed. */
  let left: readonly string[] | null = null;
  while (!isStopping() && left?.length !== 0) {
    left ??= await drives.all().then((all) => [FACTORY_ID, ...all], failed);
    const again: string[] = [];
    for (const drive_id of left?.filter(isWanted) ?? [])
      await compare(drive_id).catch((error: unknown) => {
        failed(error);
        again.push(drive_id);
      });
    left &&= again;
    if (left?.length !== 0) await pause(COMPARE_AGAIN_MS);
  }
}

/**
 * Revision of a drive's last event; -1 without any. A damaged stream counts as one event: following it reports the
 * damage, and is tried again until it is repaired.
 */
export function lastRevision({ events }: Drives, drive_id: string): Promise<number> {
  const reading = events.head(streamOf(drive_id)).then((head) => head?.revision ?? -1);
  return unlessDamaged(drive_id, reading, 0);
}

/** Revision of a drive's documents; -1 without any, or if they are of other events. */
export async function shownRevision(
  { events, read_model }: Drives,
  drive_id: string,
): Promise<number> {
  const checkpoint = read_model.durable ? await read_model.checkpoint(drive_id) : null;
  // That of an unused factory is of no event.
  if (!checkpoint || checkpoint.revision < 0) return -1;
  const is_of_events = await unlessDamaged(drive_id, hasEvent(events, drive_id, checkpoint), false);
  return is_of_events ? checkpoint.revision : -1;
}
