import { RECORD_KINDS } from '../../domain/drive/record-kinds.js';
import type { DriveState } from '../../domain/foundation/state.js';
import type { Context } from '../../domain/foundation/decision.js';
import { STATE_VERSION } from '../../domain/drive/state.js';
import { isRefusal, type Refusal, refuseField } from '../../domain/kernel/refusal.js';
import { Unavailable } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { bytesOf, type Digest } from '../../engine/proofs/hashing.js';
import { type PastState, replayed } from '../../engine/past/past.js';
import {
  type Point,
  type PointRequest,
  presentOf,
  resolvePoint,
} from '../../engine/past/points.js';
import { hashedForm, type LeafPath } from '../../engine/proofs/state-hash.js';
import type { ProvenLeaf } from '../../proofs/record-proof.js';
import { auditQuery } from '../drive-query.js';
import { REPLAY_FAMILIES } from '../replay/families.js';
import {
  flag,
  integer,
  listOf,
  nullable,
  object,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';
import { HASH, provenLeafView } from './proof-views.js';

interface ProveRecordInput extends PointRequest {
  readonly record_id: string;
  /** Required if the id does not imply it. */
  readonly family?: string;
}

export const recordProofView = view('RecordProof', {
  drive_id: text(),
  revision: integer(),
  at_ms: integer(),
  family: text(),
  record_id: text(),
  key: text('SHA-256 of family, TAB and id, 64 hex digits'),
  exists: flag(),
  record: nullable(
    object('The record as hashed: its record_hash is the SHA-256 of its canonical JSON'),
  ),
  leaf: nullable(provenLeafView),
  neighbours: listOf(
    provenLeafView,
    'For an absent record: the leaves between which it would be. Two leaves; one at an end of the ' +
      'bucket; none in an empty bucket',
  ),
  bucket: integer('First 12 bits of the key'),
  bucket_size: integer('Leaves in the bucket'),
  bucket_path: listOf(text(), 'Hashes from the bucket to state_hash, 64 hex digits each'),
  state_hash: text(HASH),
  state_version: integer(),
});
type RecordProofAnswer = Shown<typeof recordProofView>;

/** Proves that a state contains a record, or that it contains none with that id. */
export const ProveRecord = auditQuery<ProveRecordInput, RecordProofAnswer>(
  'ProveRecord',
  proveRecord,
);

async function proveRecord(
  drives: Drives,
  drive: Drive,
  context: Context,
  input: ProveRecordInput,
): Promise<RecordProofAnswer | Refusal> {
  const present = presentOf(drive, context.now);
  const point = await resolvePoint(drives.events, drive.drive_id, input, present);
  if (isRefusal(point)) return point;
  // The live state must be read synchronously, so its hash is computed first.
  if (point.revision === drive.head.revision) await drive.folded.hash.hashInTurns();
  return replayed(drives, drive, point, {}, async ({ folded, prepare }) => {
    if (prepare) await folded.hash.hashInTurns();
    return provenIn(folded, drive.drive_id, point, input);
  });
}

async function provenIn(
  { state, hash }: PastState['folded'],
  drive_id: string,
  point: Point,
  input: ProveRecordInput,
): Promise<RecordProofAnswer | Refusal> {
  // This release cannot hash the effects of event types that it does not know.
  if (state.unknown_events.size > 0) throw new Unavailable('closed');
  const { record_id } = input;
  const family = provenFamily(state, input);
  if (!family)
    return refuseField('/family', 'is required: the id does not tell the family of the record');
  const table = state.table(family);
  const record = table?.get(record_id);
  const own = RECORD_KINDS.familyOf(record_id);
  if (!record && own !== undefined && own !== family)
    return refuseField('/family', `must be ${own}, the family of the id's prefix`);
  const state_hash = hash.root();
  // Read synchronously: the live state may change while the paths are computed.
  const shown = record && table ? hashedForm(table.definition, record) : null;
  const { key, exists, leaves, ...bucket } = await hash.prove(family, record_id);
  const proven = leaves.map(presentLeaf);
  return {
    drive_id,
    revision: point.revision,
    at_ms: point.at_ms,
    family,
    record_id,
    key: hex(key),
    exists,
    record: shown,
    leaf: exists ? proven[0]! : null,
    neighbours: exists ? [] : proven,
    bucket: bucket.bucket,
    bucket_size: bucket.bucket_size,
    bucket_path: bucket.bucket_path.map(hex),
    state_hash,
    state_version: STATE_VERSION,
  };
}

/** The given family; otherwise the family that contains the record; otherwise the one with this id format. */
function provenFamily(
  state: DriveState,
  { family, record_id }: ProveRecordInput,
): string | undefined {
  if (family) return family;
  const holder = REPLAY_FAMILIES.find((name) => state.table(name)?.has(record_id));
  return holder ?? RECORD_KINDS.familyOf(record_id);
}

function presentLeaf({ key, record_hash, index, path }: LeafPath): ProvenLeaf {
  return { key: hex(key), record_hash: hex(record_hash), index, path: path.map(hex) };
}

function hex(digest: Digest): string {
  return bytesOf(digest).toString('hex');
}
