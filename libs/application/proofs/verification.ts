import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import { Provided } from '../providers.js';
import { refuseWithout } from '../../domain/access/denial.js';
import { refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { Drives } from '../../engine/drives/drives.js';
import { Semaphore } from '../../engine/tasks/semaphore.js';
import { verifyDrive } from '../../engine/verify/verifier.js';
import { type Digest, parseDigest } from '../../proofs/digest.js';
import { Malformed } from '../../proofs/hashes.js';
import { DriveQuery } from '../drive-query.js';
import { SigningKey } from './digest.js';
import { answerNow } from '../read-record.js';
import { READ_SCHEMA } from '../read-schema.js';
import { flag, integer, nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** Maximum drives verified concurrently, each once at a time: each verification reads a whole stream. */
const MOST_AT_ONCE = 2;

export const verifyView = view('Verification', {
  drive_id: text(),
  valid: flag('True if no error was found'),
  checked_events: integer('Valid events from the start of the stream'),
  revision: integer('Revision of the last valid event; -1 for none'),
  first_bad_revision: nullable(
    integer('Lowest revision with an error: of an event, a snapshot, or the record of a document'),
  ),
  reason: nullable(text('The first error, as a sentence')),
  drift_documents: nullable(
    integer(
      'Documents of the read model and records of snapshots that differ from the fold, and 1 for an index of events that ' +
        'does; null if the stream cannot be folded',
    ),
  ),
  digest_signed_here: nullable(
    flag(
      'Whether the digest of the body is signed with the key of this installation: those of a former installation ' +
        'are not, nor are those of anybody else. Null without a digest',
    ),
  ),
  duration_ms: integer(),
});
type VerifyAnswer = Shown<typeof verifyView>;

export interface VerifyInput {
  readonly digest?: object;
  /** Called as soon as the caller is admitted, and after each page of events. */
  readonly progress?: (checked_events: number, events_total: number) => void;
}

/** Reads a drive's whole stream and compares it with all data derived from it. */
export class Verify extends DriveQuery<VerifyInput, VerifyAnswer> {}

@Provided
@QueryHandler(Verify)
export class VerifyHandler {
  private readonly running = new Semaphore(MOST_AT_ONCE, 1);

  constructor(
    @Inject(Drives) private readonly drives: Drives,
    @Inject(SigningKey) private readonly signing_key: SigningKey,
  ) {}

  execute({ reader, input }: Verify) {
    const { drives, running } = this;
    return answerNow(drives, reader, async (context, drive): Promise<VerifyAnswer | Refusal> => {
      const denied = refuseWithout(context, 'VIEW', 'TABLE_AUDIT');
      if (denied) return denied;
      let digest: Digest | undefined;
      try {
        digest = input.digest && parseDigest(input.digest);
      } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        return refuseField('/digest', `is no digest: ${error.message}`);
      }
      const own_key = this.signing_key.public_key.toString('base64');
      const started = performance.now();
      const families = Object.keys(READ_SCHEMA);
      const events_total = drive.head.revision + 1;
      const progress = (checked_events: number): void =>
        input.progress?.(checked_events, events_total);
      progress(0);
      const verify = () => verifyDrive(drives, drive, families, digest, progress);
      const found = await running.run(verify, drive.drive_id);
      return {
        drive_id: drive.drive_id,
        ...found,
        digest_signed_here: digest ? digest.public_key === own_key : null,
        duration_ms: Math.round(performance.now() - started),
      };
    });
  }
}
