import type { Context } from '../../domain/foundation/decision.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { outOfRange } from '../../engine/past/points.js';
import type { ConsistencyProof, InclusionProof } from '../../proofs/merkle.js';
import { auditQuery } from '../drive-query.js';

interface ProveEventInput {
  readonly revision: number;
  /** Events in the tree; by default all events. */
  readonly size?: number;
}

interface ProveConsistencyInput {
  readonly from: number;
  /** Size of the larger tree; by default all events. */
  readonly to?: number;
}

/** Proves that an event is in the log. */
export const ProveEvent = auditQuery<ProveEventInput, InclusionProof>('ProveEvent', proveEvent);

/** Proves that a log starts with its state at a smaller size. */
export const ProveConsistency = auditQuery<ProveConsistencyInput, ConsistencyProof>(
  'ProveConsistency',
  proveConsistency,
);

async function proveEvent(
  drives: Drives,
  drive: Drive,
  _: Context,
  { revision, size: given }: ProveEventInput,
): Promise<InclusionProof | Refusal> {
  const all = drive.head.revision + 1;
  const size = given ?? all;
  if (size < 1 || size > all) return outOfRange('/size', 1, all);
  if (revision < 0 || revision >= size) return outOfRange('/revision', 0, size - 1);
  const { event_hash, root, path } = await drives.log.inclusion(drive, revision, size);
  return {
    drive_id: drive.drive_id,
    revision,
    event_hash: hex(event_hash),
    size,
    log_root: hex(root),
    path: path.map(hex),
  };
}

async function proveConsistency(
  drives: Drives,
  drive: Drive,
  _: Context,
  { from, to: given }: ProveConsistencyInput,
): Promise<ConsistencyProof | Refusal> {
  const all = drive.head.revision + 1;
  const to = given ?? all;
  if (to < 1 || to > all) return outOfRange('/to', 1, all);
  if (from < 1 || from > to) return outOfRange('/from', 1, to);
  const { from_root, to_root, path } = await drives.log.consistency(drive, from, to);
  return {
    drive_id: drive.drive_id,
    from,
    from_root: hex(from_root),
    to,
    to_root: hex(to_root),
    path: path.map(hex),
  };
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
