import type { RecordProofAnswer } from '../../../libs/application/proofs/record-proof.js';
import type { VerifyAnswer } from '../../../libs/application/proofs/verification.js';
import type { Digest } from '../../../libs/proofs/digest.js';
import type { ConsistencyProof, InclusionProof } from '../../../libs/proofs/log-proofs.js';
import type { ProvenLeaf } from '../../../libs/proofs/record-proof.js';
import {
  ShownFlag,
  ShownInteger,
  ShownIntegerOrNull,
  ShownObjectOrNull,
  ShownRecordOrNull,
  ShownRecords,
  ShownText,
  ShownTextOrNull,
  ShownTexts,
} from '../records/shown.js';

const HASH = { description: '64 hex digits' };

export class DigestRecord implements Digest {
  @ShownText() drive_id!: string;
  @ShownInteger() revision!: number;
  @ShownInteger({ description: 'Events in the log: revision + 1' }) size!: number;
  @ShownText({ description: 'Hash of the last event, 64 hex digits' }) chain_hash!: string;
  @ShownText({ description: 'Root of the Merkle tree over all events, 64 hex digits' })
  log_root!: string;
  @ShownTextOrNull(HASH) state_hash!: string | null;
  @ShownInteger() state_version!: number;
  @ShownInteger({ description: 'When it was signed' }) timestamp_ms!: number;
  @ShownText({
    description: 'Base64 of the Ed25519 signature of the canonical JSON of the members above',
  })
  signature!: string;
  @ShownText({ description: 'Base64 of the 32 bytes of the key of the installation' })
  public_key!: string;
  @ShownText({ description: 'Size and root of the log as a signed note (C2SP tlog-checkpoint)' })
  checkpoint!: string;
}

export class InclusionProofRecord implements InclusionProof {
  @ShownText() drive_id!: string;
  @ShownInteger() revision!: number;
  @ShownText({ description: 'The data of the leaf, 64 hex digits' }) event_hash!: string;
  @ShownInteger({ description: 'Events in the tree' }) size!: number;
  @ShownText({ description: 'Root of the tree of that size, 64 hex digits' }) log_root!: string;
  @ShownTexts({ description: 'Hashes from the leaf up (RFC 6962, 2.1.1), 64 hex digits each' })
  path!: string[];
}

export class ConsistencyProofRecord implements ConsistencyProof {
  @ShownText() drive_id!: string;
  @ShownInteger() from!: number;
  @ShownText(HASH) from_root!: string;
  @ShownInteger() to!: number;
  @ShownText(HASH) to_root!: string;
  @ShownTexts({ description: 'Hashes (RFC 6962, 2.1.2), 64 hex digits each' }) path!: string[];
}

export class ProvenLeafRecord implements ProvenLeaf {
  @ShownText(HASH) key!: string;
  @ShownText(HASH) record_hash!: string;
  @ShownInteger({ description: 'Place in the bucket, whose leaves are sorted by key' })
  index!: number;
  @ShownTexts({ description: 'Hashes from the leaf up, 64 hex digits each' }) path!: string[];
}

export class RecordProofRecord implements RecordProofAnswer {
  @ShownText() drive_id!: string;
  @ShownInteger() revision!: number;
  @ShownInteger() at_ms!: number;
  @ShownText() family!: string;
  @ShownText() record_id!: string;
  @ShownText({ description: 'SHA-256 of family, TAB and id, 64 hex digits' }) key!: string;
  @ShownFlag() exists!: boolean;
  @ShownObjectOrNull({
    description: 'The record as hashed: its record_hash is the SHA-256 of its canonical JSON',
  })
  record!: Record<string, unknown> | null;
  @ShownRecordOrNull(() => ProvenLeafRecord) leaf!: ProvenLeafRecord | null;
  @ShownRecords(() => ProvenLeafRecord, {
    description:
      'Of an absent record the leaves between which it would lie: two, one at an end of the bucket, none ' +
      'in an empty one',
  })
  neighbours!: ProvenLeafRecord[];
  @ShownInteger({ description: 'First 12 bits of the key' }) bucket!: number;
  @ShownInteger({ description: 'Leaves in the bucket' }) bucket_size!: number;
  @ShownTexts({ description: 'Hashes from the bucket to state_hash, 64 hex digits each' })
  bucket_path!: string[];
  @ShownText(HASH) state_hash!: string;
  @ShownInteger() state_version!: number;
}

export class VerificationRecord implements VerifyAnswer {
  @ShownText() drive_id!: string;
  @ShownFlag({ description: 'Nothing was found wrong' }) valid!: boolean;
  @ShownInteger({ description: 'Events found right, from the first on' }) checked_events!: number;
  @ShownInteger({ description: 'The last of them; -1 for none' }) revision!: number;
  @ShownIntegerOrNull({
    description:
      'Lowest revision at which something does not fit: of an event, a snapshot, or the record of a document',
  })
  first_bad_revision!: number | null;
  @ShownTextOrNull({ description: 'The first thing found, a sentence' }) reason!: string | null;
  @ShownIntegerOrNull({
    description:
      'Documents of the read model and records of snapshots that differ from the fold; null if the stream ' +
      'cannot be folded',
  })
  drift_documents!: number | null;
  @ShownInteger() duration_ms!: number;
}
