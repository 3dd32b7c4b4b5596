import { randomBytes } from 'node:crypto';

import type { EventStore } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import type { Digest } from '../../proofs/digest.js';
import { Fingerprints } from '../../read-model/fingerprint.js';
import type { AnyReadModel } from '../../read-model/port.js';
import { BrokenStream, foldOnto } from '../fold/fold.js';
import type { Drive } from '../writer/drive.js';
import { documentDrift } from './drift.js';
import { type ServedDrive, servedBy, type VerifyQuestion } from './served-drive.js';
import { type Verification, verifyStream } from './verify-drive.js';

export interface DriveVerification extends Verification {
  /** Revision of the last valid event; -1 for none. */
  readonly revision: number;
}

/** Verifies drives in use, in this thread or in another one. */
export interface Verifier {
  /** @throws Abandoned; Unavailable */
  verify(question: VerifyQuestion, served: ServedDrive): Promise<DriveVerification>;
}

/** Folds and compares in the thread that calls it. */
export class FoldingVerifier implements Verifier {
  constructor(
    private readonly events: EventStore,
    private readonly side: Pick<SideStores, 'keys' | 'snapshots' | 'tiles' | 'index'>,
  ) {}

  async verify(question: VerifyQuestion, served: ServedDrive): Promise<DriveVerification> {
    const { events, side } = this;
    const { drive_id, digest, head } = question;
    const progress = (checked_events: number): void => served.progress(checked_events);
    const { index } = side;
    const stream = { drive_id, events, side, index, digest, head, progress };
    const { checked, folded, findings } = await verifyStream(stream);
    if (findings.is_folded && folded.state.revision >= head.revision)
      try {
        const fold = { folded, events: checked, keys: side.keys };
        const drift = await documentDrift(question, served, fold);
        findings.drift += drift.documents;
        if (drift.documents > 0)
          findings.add(
            drift.first_revision,
            `${drift.documents} documents of the read model differ from the fold; reindex rebuilds them.`,
          );
        await foldOnto(folded, checked, { to: Infinity });
      } catch (error) {
        if (!(error instanceof BrokenStream)) throw error;
        findings.add(error.revision, `Revision ${error.revision}: ${error.reason}.`);
      }
    return { ...findings.verification(checked.size), revision: checked.size - 1 };
  }
}

/** Verifies a served drive: its stream, its snapshots, and every document of its read model. */
export function verifyDrive(
  { read_model, verifier }: { readonly read_model: AnyReadModel; readonly verifier: Verifier },
  drive: Drive,
  families: readonly string[],
  digest?: Digest,
  progress: (checked_events: number) => void = () => {},
): Promise<DriveVerification> {
  const { revision, last_hash: hash } = drive.head;
  const fingerprints = read_model.durable
    ? new Fingerprints(read_model.fingerprintKey())
    : Fingerprints.from(randomBytes(32));
  const question: VerifyQuestion = {
    drive_id: drive.drive_id,
    families,
    digest,
    head: { revision, hash },
    has_durable_documents: read_model.durable,
    fingerprint_key: fingerprints.key,
  };
  return verifier.verify(question, servedBy(drive, { read_model, fingerprints }, progress));
}
