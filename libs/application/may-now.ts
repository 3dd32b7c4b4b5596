import { resolveCaller } from '../domain/access/caller.js';
import type { Context } from '../domain/foundation/decision.js';
import { isRefusal } from '../domain/kernel/refusal.js';
import type { Drives } from '../engine/drives/drives.js';
import type { Reader } from './read-record.js';

/** Checks that the caller of a long-lived connection is still allowed: permissions and keys may expire between requests. */
export async function mayNow(
  drives: Drives,
  { drive_id, credential }: Reader,
  may: (context: Context) => boolean,
): Promise<boolean> {
  const drive = await drives.open(drive_id);
  await drive.durable();
  const now = drive.now();
  const caller = resolveCaller(drive.state, credential, now);
  return !isRefusal(caller) && may(drive.context(caller, now));
}
